/** What runs, what waits and why, and the slots there are. Live. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { RunningEntry, WaitingEntry } from "@/api/types";
import { queueQuery } from "@/entities/queue/queries";
import { slotsText } from "@/entities/queue/words";
import { useRun } from "@/entities/runs/live-runs";
import { RunProgress } from "@/entities/runs/RunProgress";
import { useMove, useStartNext } from "@/entities/runs/use-move";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { SlotFields } from "./SlotFields";

export function QueuePage() {
  const queue = useQuery(queueQuery);
  return (
    <div className="container-page flex flex-col gap-6 py-4 sm:py-6">
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 className="text-xl font-semibold">Queue</h1>
        {queue.data && <p className="text-sm text-ink-2">{slotsText(queue.data)}</p>}
      </header>
      {queue.isPending && <Loading lines={6} />}
      {queue.isError && <ErrorState error={queue.error} onRetry={() => void queue.refetch()} />}
      {queue.data && (
        <>
          <div className="max-sm:order-last">
            <SlotFields queue={queue.data} />
          </div>
          <Panel title="Running" flush aside={<Count of={queue.data.running} />}>
            {queue.data.running.length === 0 && (
              <EmptyState title="Nothing is running">Start a run on the Lab page.</EmptyState>
            )}
            <ul>
              {queue.data.running.map((entry) => (
                <RunningRow key={entry.run_id} entry={entry} />
              ))}
            </ul>
          </Panel>
          <Panel title="Waiting" flush aside={<Count of={queue.data.waiting} />}>
            {queue.data.waiting.length === 0 && (
              <EmptyState title="Nothing is waiting">Every run has a slot.</EmptyState>
            )}
            <ul>
              {queue.data.waiting.map((entry) => (
                <WaitingRow key={entry.run_id} entry={entry} next={nextOf(queue.data.waiting, entry)} />
              ))}
            </ul>
          </Panel>
        </>
      )}
    </div>
  );
}

const Count = ({ of }: { of: readonly unknown[] }) => (
  <span className="figures text-xs text-ink-3">{of.length}</span>
);

const ROW = "flex flex-wrap items-center gap-x-4 gap-y-2 border-b px-4 py-3 last:border-0";

function RunningRow({ entry }: { entry: RunningEntry }) {
  const run = useRun(entry.run_id).data;
  const move = useMove(entry.run_id);
  return (
    <li className={ROW}>
      <RunLink entry={entry} />
      <div className="min-w-48 flex-1 max-sm:order-last max-sm:w-full">
        {run && <RunProgress run={run} />}
      </div>
      <Button
        small
        className="max-sm:ml-auto"
        kind="danger"
        icon="stop"
        disabled={move.isPending || run?.status === "stopping"}
        onClick={() => move.mutate("stop")}
      >
        {run?.status === "stopping" ? "Stopping" : "Stop"}
      </Button>
    </li>
  );
}

/** The run that starts before all others that wait for the same kind of slot. */
const nextOf = (waiting: readonly WaitingEntry[], entry: WaitingEntry): WaitingEntry | undefined =>
  waiting.find(({ kind, place }) => place === 1 && (kind === "train") === (entry.kind === "train"));

function WaitingRow({ entry, next }: { entry: WaitingEntry; next: WaitingEntry | undefined }) {
  const move = useMove(entry.run_id);
  const startNext = useStartNext(entry.run_id);
  return (
    <li className={ROW}>
      <span className="figures w-5 text-lg text-ink-3 sm:w-8">{entry.place}</span>
      <RunLink entry={entry} />
      <p className="min-w-0 flex-1 text-sm text-ink-2 max-sm:order-last max-sm:basis-full">{entry.reason}</p>
      <div className="flex gap-2 max-sm:ml-auto">
        {next && next !== entry && (
          <Button small disabled={startNext.isPending} onClick={() => startNext.mutate(next.run_id)}>
            Start next
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
      </div>
    </li>
  );
}

function RunLink({ entry }: { entry: RunningEntry }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        to="/runs/$runId"
        params={{ runId: entry.run_id }}
        className="min-w-0 truncate text-sm font-medium hover:underline"
      >
        {entry.name}
      </Link>
      {entry.kind !== "train" && <Badge>{entry.kind}</Badge>}
    </span>
  );
}
