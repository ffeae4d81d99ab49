/** The waiting runs of one kind of slot in their order: drag a row by its handle, or use its menu or the arrow keys. */
import { useEffect, useRef, useState } from "react";
import type { WaitingEntry } from "@/api/types";
import { useMoveInQueue } from "@/entities/queue/use-steer-queue";
import { formatCount } from "@/lib/format";
import { Button } from "@/ui/Button";
import { type Drag, useDrag } from "./use-drag";
import { WaitingRow } from "./WaitingRow";

/** Rows shown at first, and more with each click: thousands of rows would make every change slow. */
const PAGE = 50;

export function WaitingList({ entries, lane }: { entries: readonly WaitingEntry[]; lane: string }) {
  const [shown, setShown] = useState(PAGE);
  const [told, setTold] = useState("");
  const list = useRef<HTMLUListElement>(null);
  const refocus = useRef<string | null>(null);
  const { mutate } = useMoveInQueue();
  const move = (runId: string, to: number) => {
    const name = entries.find(({ run_id }) => run_id === runId)?.name ?? "It";
    if (document.activeElement?.getAttribute("data-handle") === runId) refocus.current = runId;
    setTold(`${name} is now at place ${to} of ${entries.length}.`);
    mutate({ runId, to });
  };
  const { drag, handle } = useDrag(lane, move);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new order moves the row, which loses the focus
  useEffect(() => {
    if (refocus.current === null) return;
    list.current?.querySelector<HTMLElement>(`[data-handle="${refocus.current}"]`)?.focus();
    refocus.current = null;
  }, [entries]);
  return (
    <>
      <ul ref={list}>
        {entries.slice(0, shown).map((entry) => (
          <WaitingRow
            key={entry.run_id}
            entry={entry}
            count={entries.length}
            mark={markOf(drag, entry.place)}
            isDragged={drag?.runId === entry.run_id}
            handle={handle(entry.run_id, entry.place)}
            onMove={(to) => move(entry.run_id, to)}
          />
        ))}
      </ul>
      {entries.length > shown && (
        <Button small kind="quiet" className="w-full" onClick={() => setShown(shown + PAGE)}>
          {`Show more: ${formatCount(entries.length - shown)} wait behind these`}
        </Button>
      )}
      <p aria-live="polite" className="sr-only">
        {told}
      </p>
    </>
  );
}

function markOf(drag: Drag | null, place: number): "above" | "below" | null {
  if (!drag || drag.over !== place) return null;
  return drag.isBelow ? "below" : "above";
}
