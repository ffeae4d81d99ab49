/** What the bars and the line of the strip are, with their ranges. */
import type { ReactNode } from "react";
import { formatNumber, formatSigned } from "@/lib/format";
import { cx } from "@/ui/cx";
import { extentOf } from "./strip";
import type { Track } from "./tracks";

export function StripLegend({ tracks, isForked }: { tracks: readonly Track[]; isForked: boolean }) {
  const opened = tracks.flatMap((track) => (track.opened ? [track.opened] : []));
  if (opened.length === 0) return null;
  const rewards = opened.flatMap((episode) => episode.rewards);
  const values = opened.flatMap((episode) => episode.values);
  const hasNegative = rewards.some((reward) => reward < 0);
  const hasPositive = rewards.some((reward) => reward > 0);
  const hasValues = values.some((value) => value !== null);
  const acted = new Set(opened.flatMap((episode) => episode.who));
  const [low, high] = extentOf(values);
  return (
    <ul
      aria-label="Legend of the strip"
      className="flex flex-wrap gap-x-5 gap-y-1 border-b px-4 py-1.5 text-2xs text-ink-2"
    >
      {hasPositive && (
        <Entry mark="h-2.5 w-1.5 bg-line-strong">{`reward of each step${upTo(rewards)}`}</Entry>
      )}
      {hasNegative && (
        <Entry mark="h-2.5 w-1.5 bg-warn">{`negative reward, down to ${formatSigned(lowest(rewards))}`}</Entry>
      )}
      {!hasNegative && !hasPositive && <li>no step has a reward</li>}
      {hasValues && (
        <Entry mark="h-0.5 w-4 bg-focus">
          {`value: the return the agent expects, ${formatNumber(low)} to ${formatNumber(high)}`}
        </Entry>
      )}
      {acted.has(1) && <Entry mark="h-1.5 w-4 bg-live">a person chose the action</Entry>}
      {acted.has(0) && <Entry mark="h-1.5 w-4 bg-ink">the agent chose it</Entry>}
      {isForked && <Entry mark="h-2.5 border-l border-dashed border-warn">where the fork begins</Entry>}
      {tracks.length > 1 && (
        <li>{tracks.map((track, i) => `${i === 0 ? "above" : "below"}: ${track.title}`).join(" · ")}</li>
      )}
    </ul>
  );
}

const lowest = (rewards: readonly number[]): number =>
  rewards.reduce((low, reward) => Math.min(low, reward), 0);
const upTo = (rewards: readonly number[]): string =>
  `, up to ${formatSigned(rewards.reduce((high, reward) => Math.max(high, reward), 0))}`;

function Entry({ mark, children }: { mark: string; children: ReactNode }) {
  return (
    <li className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={cx("shrink-0", mark)} />
      {children}
    </li>
  );
}
