/** Which episode of a play is its best. Only those that the environment ended count: of one that was given up, the return says little. */
import type { HighScores, PlayResult } from "@/api/types";

interface Played {
  episode: number;
  reward: number | null;
  length: number | null;
}

/** `result`: of a play that has ended, which may be too low for the lists of high scores. */
export function bestEpisode(
  rows: readonly Played[],
  { runId, found, result }: { runId: string; found: HighScores | undefined; result: PlayResult | null },
): number | null {
  const listed = [...(found?.groups ?? []).flatMap(({ scores }) => scores), ...(found?.changed ?? [])];
  const own = listed.filter(({ run_id, episode }) => run_id === runId && episode !== null);
  const [highest] = own.toSorted((a, b) => b.return - a.return);
  if (highest) return highest.episode;
  const at = result?.returns?.indexOf(result.best_return ?? Number.NaN) ?? -1;
  const isBest = ({ reward, length }: Played) =>
    reward === result?.returns?.[at] && length === result?.lengths?.[at];
  return at < 0 ? null : (rows.find(isBest)?.episode ?? null);
}
