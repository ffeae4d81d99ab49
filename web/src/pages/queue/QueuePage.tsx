/** What runs, what waits and why, and the slots there are. Live. */
import { useQuery } from "@tanstack/react-query";
import type { RunningEntry } from "@/api/types";
import { laneEntries } from "@/entities/queue/order";
import { queueQuery } from "@/entities/queue/queries";
import { slotsText } from "@/entities/queue/words";
import { useRun } from "@/entities/runs/live-runs";
import { RunProgress } from "@/entities/runs/RunProgress";
import { useMove } from "@/entities/runs/use-move";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { PauseButton, PausedNote } from "./PauseBar";
import { RunLink } from "./RunLink";
import { SlotFields } from "./SlotFields";
import { WaitingList } from "./WaitingList";

const LANES = ["training", "job"] as const;

export function QueuePage() {
  const queue = useQuery(queueQuery);
  return (
    <div className="container-page flex flex-col gap-6 py-4 sm:py-6">
      <header className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h1 className="text-xl font-semibold">Queue</h1>
        {queue.data && <p className="text-sm text-ink-2">{slotsText(queue.data)}</p>}
        {queue.data && <PauseButton queue={queue.data} />}
      </header>
      {queue.isPending && <Loading lines={6} />}
      {queue.isError && <ErrorState error={queue.error} onRetry={() => void queue.refetch()} />}
      {queue.data && (
        <>
          {queue.data.paused && <PausedNote />}
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
            {LANES.map((lane) => (
              <WaitingList key={lane} lane={lane} entries={laneEntries(queue.data.waiting, lane)} />
            ))}
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
