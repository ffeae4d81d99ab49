/** The right column: analysis, charts or checkpoints of what is on the stage, and its events. */
import { lazy, Suspense } from "react";
import type { RunEvent } from "@/api/types";
import { useRunEvents } from "@/entities/events/use-run-events";
import { patiently } from "@/lib/chunks";
import { useRemembered } from "@/lib/remembered";
import type { Shown } from "@/pages/lab/use-shown";
import { useShownRun } from "@/pages/lab/use-shown-run";
import { EventLog } from "@/panels/event-log/EventLog";
import { Analysis } from "@/panels/insights/Analysis";
import { cx } from "@/ui/cx";
import { Panel } from "@/ui/Panel";
import { EmptyState, Loading } from "@/ui/states";

const Checkpoints = lazy(() => patiently(() => import("./Checkpoints")));
const SmallCharts = lazy(() => patiently(() => import("./SmallCharts")));

const VIEWS = { analysis: "Analysis", charts: "Charts", checkpoints: "Checkpoints" } as const;
type View = keyof typeof VIEWS;

export function LabAside({ shown }: { shown: Shown }) {
  const [view, setView] = useRemembered<View>("lab.aside", "analysis");
  // A preview has no run: nothing here may speak of another one.
  const runId = shown.previewEnv ? null : shown.runId;
  return (
    <>
      <div className="flex min-h-0 flex-col gap-2 xl:h-[54%] xl:shrink-0">
        <ViewSwitch view={view} onView={setView} />
        <Explanation view={view} runId={runId} shown={shown} />
      </div>
      <Events runId={runId} />
    </>
  );
}

function ViewSwitch({ view, onView }: { view: View; onView: (view: View) => void }) {
  return (
    <div
      role="group"
      aria-label="Right column"
      className="flex shrink-0 gap-1 rounded-md border bg-surface p-1"
    >
      {(Object.keys(VIEWS) as View[]).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === view}
          onClick={() => onView(one)}
          className={cx(
            "label h-7 flex-1 rounded-sm px-2",
            one === view ? "bg-sunken text-ink" : "text-ink-3 hover:text-ink",
          )}
        >
          {VIEWS[one]}
        </button>
      ))}
    </div>
  );
}

function Explanation({ view, runId, shown }: { view: View; runId: string | null; shown: Shown }) {
  const { run } = useShownRun(runId);
  const fill = "min-h-0 xl:flex-1";
  if (view === "analysis") return <Analysis run={run} className={fill} />;
  return (
    <Panel
      title={VIEWS[view]}
      caps
      flush
      scroll={VIEWS[view]}
      className={cx(fill, "max-h-[32rem] xl:max-h-none")}
    >
      {!run && <EmptyState title="No run on the stage">Train an agent or choose a run.</EmptyState>}
      {run && (
        <Suspense fallback={<Loading lines={5} />}>
          {view === "charts" ? <SmallCharts run={run} /> : <Checkpoints run={run} shown={shown} />}
        </Suspense>
      )}
    </Panel>
  );
}

function Events({ runId }: { runId: string | null }) {
  const events = useRunEvents(runId).filter(isForPeople);
  return (
    <Panel title="Event log" caps flush className="overflow-hidden xl:min-h-40 xl:flex-1" data-tour="events">
      <EventLog events={events} className="max-h-96 xl:h-full xl:max-h-none" />
    </Panel>
  );
}

/** Messages of the worker about itself are shown on the run's page only. */
const isForPeople = ({ level, type }: RunEvent): boolean => level !== "debug" && type !== "worker_hello";
