/** The event log: newest first, HH:MM, warnings red. */
import type { RunEvent } from "@/api/types";
import { formatClock, formatDate } from "@/lib/format";
import { cx } from "@/ui/cx";
import { EmptyState } from "@/ui/states";

export interface EventLogProps {
  events: readonly RunEvent[];
  /** Of the scrolled list; it is at most 24 rem high when absent. */
  className?: string;
}

export function EventLog({ events, className = "max-h-96" }: EventLogProps) {
  if (events.length === 0)
    return <EmptyState title="No events yet">Events appear here as they happen.</EmptyState>;
  return (
    <div
      role="log"
      tabIndex={0}
      aria-label="Events"
      aria-live="polite"
      className={cx("overflow-y-auto focus-visible:-outline-offset-2", className)}
    >
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </div>
  );
}

function EventRow({ event }: { event: RunEvent }) {
  const isBad = event.level === "warning" || event.level === "error";
  return (
    <div
      className={cx(
        "flex gap-3 border-b px-4 py-1.5 text-sm last:border-0",
        isBad ? "text-warn" : "text-ink-2",
      )}
    >
      <time dateTime={event.at} title={formatDate(event.at)} className="figures pt-0.5 text-xs text-ink-3">
        {formatClock(event.at)}
      </time>
      <span className="min-w-0 break-words">
        {isBad && <span className="sr-only">{event.level}: </span>}
        {event.message}
      </span>
    </div>
  );
}
