/** The last episodes of a run as bars, extended with pushed points. Pure. */
import type { Metrics } from "@/api/types";
import type { Bar } from "@/charts/RewardBars";

export const LAST = 100;

/**
 * The bars with what the pushed points add; null when the points do not show which episodes they belong to, or some are
 * missing. The number of a point is the number of its episode only while every episode has a reward.
 */
export function extended(bars: readonly Bar[], pushed: Metrics): readonly Bar[] | null {
  const { reward, length } = pushed.series;
  if (!reward && !length) return bars;
  if (!reward || !length || reward.total !== length.total) return null;
  const known = new Map(bars.map((bar) => [bar.episode, bar.reward]));
  const points = reward.index.map((episode, i) => ({ episode, reward: reward.value[i]! }));
  if (points.some(({ episode, reward }) => known.has(episode) && known.get(episode) !== reward)) return null;
  const newest = bars.at(-1)?.episode ?? -1;
  const after = [...bars, ...points.filter(({ episode }) => episode > newest)].slice(-LAST);
  return isComplete(after) ? after : null;
}

const isComplete = (bars: readonly Bar[]): boolean =>
  bars.length === 0 || bars.at(-1)!.episode - bars[0]!.episode === bars.length - 1;
