/** One waiting run: its place, why it waits, and how to move it. */
import type { ComponentProps, KeyboardEvent } from "react";
import type { WaitingEntry } from "@/api/types";
import { laneOf } from "@/entities/queue/order";
import { useMoveStudyNext } from "@/entities/queue/use-steer-queue";
import { useMove } from "@/entities/runs/use-move";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { Menu, type MenuItem } from "@/ui/Menu";
import { PriorityField } from "./PriorityField";
import { RunLink } from "./RunLink";

export interface WaitingRowProps {
  entry: WaitingEntry;
  /** How many wait for the same kind of slot. */
  count: number;
  /** A dragged run would be dropped above or below this row. */
  mark: "above" | "below" | null;
  isDragged: boolean;
  handle: ComponentProps<"button">;
  onMove: (to: number) => void;
}

export function WaitingRow({ entry, count, mark, isDragged, handle, onMove }: WaitingRowProps) {
  const move = useMove(entry.run_id);
  const { place } = entry;
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowUp: place - 1, ArrowDown: place + 1, Home: 1, End: count }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 1 && to <= count && to !== place) onMove(to);
  };
  return (
    <li
      data-place={place}
      data-lane={laneOf(entry)}
      className={cx(
        "flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-4 py-2.5 last:border-0",
        isDragged && "opacity-50",
        mark === "above" && "shadow-[inset_0_2px_0_var(--color-ink)]",
        mark === "below" && "shadow-[inset_0_-2px_0_var(--color-ink)]",
      )}
    >
      {count > 1 && (
        <button
          type="button"
          data-handle={entry.run_id}
          aria-label={`Move ${entry.name}: place ${place} of ${count}; arrow keys`}
          className="-ml-2 flex size-8 shrink-0 cursor-grab touch-none items-center justify-center rounded-sm text-ink-3 hover:bg-sunken active:cursor-grabbing"
          {...handle}
          onKeyDown={onKeyDown}
        >
          <Icon name="menu" size={14} />
        </button>
      )}
      <span className="figures w-6 text-lg text-ink-3 sm:w-8">{place}</span>
      <RunLink entry={entry} />
      <p className="min-w-0 flex-1 text-sm text-ink-2 max-sm:order-last max-sm:basis-full">{entry.reason}</p>
      <div className="flex flex-wrap items-center gap-2 max-sm:ml-auto">
        <PriorityField key={entry.priority} entry={entry} />
        {place > 1 && (
          <Button small onClick={() => onMove(1)}>
            Run next
          </Button>
        )}
        <Button
          small
          kind="danger"
          icon="close"
          disabled={move.isPending}
          onClick={() => move.mutate("stop")}
        >
          Cancel
        </Button>
        {count > 1 && <MoveMenu entry={entry} count={count} onMove={onMove} />}
      </div>
    </li>
  );
}

function MoveMenu({ entry, count, onMove }: Pick<WaitingRowProps, "entry" | "count" | "onMove">) {
  const studyNext = useMoveStudyNext();
  const { place, study_id } = entry;
  const first = place === 1 ? "It is the next one." : null;
  const last = place === count ? "It is the last one." : null;
  const items: MenuItem[] = [
    { title: "Move up", icon: "up", reason: first, run: () => onMove(place - 1) },
    { title: "Move down", icon: "down", reason: last, run: () => onMove(place + 1) },
    { title: "Move to the end", reason: last, run: () => onMove(count) },
  ];
  if (study_id) items.push({ title: "Run its whole study next", run: () => studyNext.mutate(study_id) });
  return (
    <Menu
      trigger={<Button small kind="quiet" icon="more" aria-label={`Move ${entry.name}`} />}
      items={items}
    />
  );
}
