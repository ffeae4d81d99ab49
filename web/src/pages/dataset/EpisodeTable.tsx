/** A list of up to millions of episodes; only the visible rows are rendered. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { DatasetEpisode, DatasetVersion } from "@/api/types";
import { formatCount, formatNumber, NOTHING } from "@/lib/format";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { whyNotWatched } from "./facts";

export interface EpisodeTableProps {
  version: DatasetVersion;
  episodes: readonly DatasetEpisode[];
  total: number;
  selected: number | undefined;
  onWatch: (episode: number) => void;
  onEnd: () => void;
}

const ROW_PX = 40;
const COLUMNS =
  "grid grid-cols-[3.5rem_1fr_3.5rem_5rem_1rem] items-center gap-3 px-4 sm:grid-cols-[5rem_7rem_5rem_6.5rem_8rem_minmax(0,1fr)_6.5rem]";

export function EpisodeTable({ version, episodes, total, selected, onWatch, onEnd }: EpisodeTableProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: episodes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  const lastShown = rows.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (episodes.length < total && lastShown >= episodes.length - 20) onEnd();
  }, [lastShown, episodes.length, total, onEnd]);
  return (
    <div className="flex min-h-0 flex-col">
      <div aria-hidden="true" className={cx("label h-8 border-b text-ink-3", COLUMNS)}>
        <span>Episode</span>
        <span className="text-right">Return</span>
        <span className="text-right">Length</span>
        <span>Ending</span>
        <span className="max-sm:hidden">Seed</span>
        <span className="max-sm:hidden">From</span>
        <span />
      </div>
      <section
        ref={scroller}
        aria-label="List of episodes"
        tabIndex={0}
        className="overflow-y-auto"
        style={{ height: Math.min(480, episodes.length * ROW_PX + 1) }}
      >
        <ul className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => (
            <li
              key={row.key}
              className="absolute inset-x-0"
              style={{ height: ROW_PX, transform: `translateY(${row.start}px)` }}
            >
              <EpisodeRow
                version={version}
                episode={episodes[row.index]!}
                isSelected={episodes[row.index]!.episode === selected}
                onWatch={onWatch}
              />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

interface RowProps {
  version: DatasetVersion;
  episode: DatasetEpisode;
  isSelected: boolean;
  onWatch: (episode: number) => void;
}

function EpisodeRow({ version, episode, isSelected, onWatch }: RowProps) {
  const reason = whyNotWatched(version, episode);
  return (
    <button
      type="button"
      aria-current={isSelected || undefined}
      title={reason ?? undefined}
      onClick={() => onWatch(episode.episode)}
      className={cx(
        "figures ring-inside h-full w-full border-b text-left text-xs hover:bg-sunken",
        COLUMNS,
        isSelected && "bg-select shadow-[inset_2px_0_0_var(--ink)]",
      )}
    >
      <span>
        <span className="sr-only">Episode </span>
        {formatCount(episode.episode)}
      </span>
      <span className="text-right">
        <span className="sr-only">return </span>
        {formatNumber(episode.return, 5)}
      </span>
      <span className="text-right">
        {formatCount(episode.length)}
        <span className="sr-only"> steps</span>
      </span>
      <span className="text-2xs text-ink-2">{endingOf(episode)}</span>
      <span className="truncate text-ink-2 max-sm:hidden">{isSeeded(episode) ? episode.seed : NOTHING}</span>
      <span className="truncate text-2xs text-ink-3 max-sm:hidden">
        {episode.source && `${episode.source} · ${formatCount(episode.number)}`}
      </span>
      <span className={cx("flex items-center gap-1.5 text-2xs", reason ? "text-ink-3" : "text-ink")}>
        <Icon name={reason ? "eyeOff" : "eye"} size={13} />
        <span className="max-sm:sr-only">{reason ? "no picture" : "Watch"}</span>
      </span>
    </button>
  );
}

const isSeeded = ({ seed }: DatasetEpisode): boolean => seed !== null && seed !== undefined && seed >= 0;

function endingOf({ terminated, truncated }: DatasetEpisode): string {
  if (terminated) return "terminated";
  return truncated ? "truncated" : "cut off";
}
