/** The place of a waiting run in the queue, and what it waits for. */
import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { queueQuery } from "@/entities/queue/queries";
import { formatCount } from "@/lib/format";

export function QueuedNote({ run }: { run: Run }) {
  const waiting = useQuery(queueQuery).data?.waiting ?? [];
  const own = waiting.find(({ run_id }) => run_id === run.id);
  return (
    <span className="flex flex-col gap-1">
      {own ? (
        <>
          <span>{`Place ${formatCount(own.place)} of ${formatCount(waiting.length)} in the queue.`}</span>
          <span className="opacity-75">{own.reason}</span>
        </>
      ) : (
        <span>Waiting for a free slot.</span>
      )}
    </span>
  );
}
