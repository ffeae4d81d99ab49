/** A list of thousands of episodes; only the visible rows are rendered. */
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import type { EpisodeRow } from "@/api/types";
import { formatCount, formatSigned } from "@/lib/format";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";

export interface EpisodeListProps {
  episodes: readonly EpisodeRow[];
  total: number;
  /** Episodes of this order above the first row, and how to list them too. */
  skipped: number;
  onTop: () => void;
  selected: number | undefined;
  onSelect: (episode: number) => void;
  /** Called when the last rows are visible and there are more. */
  onEnd: () => void;
}

const ROW_PX = 40;
const COLUMNS = "grid grid-cols-[4.5rem_1fr_3.5rem_5rem] items-center gap-3 px-3";

export function EpisodeList(props: EpisodeListProps) {
  const { episodes, total, skipped, onTop, selected, onSelect, onEnd } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: episodes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  const lastShown = rows.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (skipped + episodes.length < total && lastShown >= episodes.length - 20) onEnd();
  }, [lastShown, episodes.length, skipped, total, onEnd]);
  useSelectedInSight(rows, episodes, selected);
  return (
    <div className="flex min-h-0 flex-col">
      <div aria-hidden="true" className={cx("label h-8 border-b text-ink-3", COLUMNS)}>
        <span>Episode</span>
        <span className="text-right">Return</span>
        <span className="text-right">Length</span>
        <span>Ending</span>
      </div>
      {skipped > 0 && (
        <Button small kind="quiet" icon="up" className="w-full rounded-none border-b" onClick={onTop}>
          {`${formatCount(skipped)} more above`}
        </Button>
      )}
      <section
        ref={scroller}
        aria-label="List of episodes"
        tabIndex={0}
        className="h-72 overflow-y-auto xl:h-[calc(100dvh-23rem)] xl:min-h-96"
      >
        <div className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map((row) => (
            <div
              key={row.key}
              className="absolute inset-x-0"
              style={{ height: ROW_PX, transform: `translateY(${row.start}px)` }}
            >
              <EpisodeButton
                episode={episodes[row.index]!}
                isSelected={episodes[row.index]!.episode === selected}
                onSelect={onSelect}
              />
            </div>
          ))}
        </div>
      </section>
    </div>
  );
}

type Rows = Virtualizer<HTMLDivElement, Element>;

/** The chosen row is scrolled into sight when another one is chosen; afterwards the reader scrolls freely. */
function useSelectedInSight(rows: Rows, episodes: readonly EpisodeRow[], selected: number | undefined): void {
  const shown = useRef<number>(undefined);
  const index = episodes.findIndex((row) => row.episode === selected);
  useEffect(() => {
    if (index < 0 || shown.current === selected) return;
    shown.current = selected;
    rows.scrollToIndex(index, { align: "auto" });
  }, [rows, index, selected]);
}

function EpisodeButton({
  episode,
  isSelected,
  onSelect,
}: {
  episode: EpisodeRow;
  isSelected: boolean;
  onSelect: (episode: number) => void;
}) {
  const ending = episode.terminated ? "terminated" : episode.truncated ? "truncated" : "unknown";
  return (
    <button
      type="button"
      aria-current={isSelected || undefined}
      title={episode.recorded ? undefined : "This episode was not recorded and cannot be replayed."}
      disabled={!episode.recorded}
      onClick={() => onSelect(episode.episode)}
      className={cx(
        "figures h-full w-full border-b text-left text-xs hover:bg-sunken ring-inside disabled:text-ink-3",
        COLUMNS,
        isSelected && "bg-select shadow-[inset_2px_0_0_var(--ink)]",
      )}
    >
      <span>
        <span className="sr-only">{episode.role === "training" ? "Episode " : "Evaluation episode "}</span>
        {episode.role === "evaluation" && (
          <span aria-hidden="true" title="Evaluation episode" className="text-ink-3">
            E{" "}
          </span>
        )}
        {formatCount(episode.number)}
      </span>
      <span className={cx("text-right", (episode.reward ?? 0) < 0 && "text-warn")}>
        <span className="sr-only">return </span>
        {formatSigned(episode.reward)}
      </span>
      <span className="text-right">
        {formatCount(episode.length)}
        <span className="sr-only"> steps</span>
      </span>
      <span className="flex items-center gap-1 text-2xs text-ink-3">
        {ending}
        {episode.note && (
          <span title={episode.note.slice(0, 200)}>
            <Icon name="note" size={11} />
            <span className="sr-only">has a note</span>
          </span>
        )}
      </span>
    </button>
  );
}
