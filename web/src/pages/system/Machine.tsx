/** CPU, memory, disk and GPU, measured every other second, and how much of them each live run uses. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { System } from "@/api/types";
import { Sparkline } from "@/charts/Sparkline";
import { runQuery } from "@/entities/runs/queries";
import { systemQuery } from "@/entities/system/queries";
import { formatBytes, formatDuration, formatNumber, formatPercent } from "@/lib/format";
import { Panel } from "@/ui/Panel";
import { Progress } from "@/ui/Progress";
import { ErrorState, Loading, StaleNote } from "@/ui/states";
import { shareOf, useRecent } from "./recent";

export function Machine() {
  const system = useQuery(systemQuery);
  const recent = useRecent(system.data);
  if (system.data)
    return (
      <>
        <Gauges now={system.data} recent={recent} staleSince={system.isError ? system.dataUpdatedAt : null} />
        <LiveRuns runs={system.data.runs} />
      </>
    );
  return (
    <Panel title="Machine">
      {system.isError ? (
        <ErrorState error={system.error} onRetry={() => void system.refetch()} />
      ) : (
        <Loading lines={4} />
      )}
    </Panel>
  );
}

interface GaugesProps {
  now: System;
  recent: readonly System[];
  staleSince: number | null;
}

function Gauges({ now, recent, staleSince }: GaugesProps) {
  const memory = shareOf(now.memory.total_bytes - now.memory.free_bytes, now.memory.total_bytes);
  const disk = shareOf(now.disk.used_bytes, now.disk.used_bytes + now.disk.free_bytes);
  return (
    <section aria-label="Machine" className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Gauge
        title="CPU"
        value={formatPercent(now.cpu.percent / 100)}
        share={now.cpu.percent / 100}
        recent={recent.map((look) => look.cpu.percent)}
        note={`${now.cpu.cores} cores, load ${formatNumber(now.cpu.load_1m)}`}
      />
      <Gauge
        title="Memory"
        value={formatPercent(memory)}
        share={memory}
        recent={recent.map((look) => look.memory.total_bytes - look.memory.free_bytes)}
        note={`${formatBytes(now.memory.free_bytes)} free of ${formatBytes(now.memory.total_bytes)}`}
      />
      <Gauge
        title="Disk"
        value={formatPercent(disk)}
        share={disk}
        note={`${formatBytes(now.disk.free_bytes)} free`}
      />
      <div className="flex min-w-0 flex-col gap-1 rounded-md border bg-surface px-4 py-3">
        <h2 className="label text-ink-3">GPU</h2>
        <p className="text-sm text-ink-2">{now.gpu?.message ?? "The machine is being checked."}</p>
      </div>
      {staleSince !== null && <StaleNote since={staleSince} className="col-span-full" />}
    </section>
  );
}

interface GaugeProps {
  title: string;
  value: string;
  share: number;
  note: string;
  recent?: readonly number[];
}

function Gauge({ title, value, share, note, recent = [] }: GaugeProps) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5 rounded-md border bg-surface px-4 py-3">
      <h2 className="label text-ink-3">{title}</h2>
      <div className="flex items-center justify-between gap-3">
        <span className="figures text-xl leading-8 whitespace-nowrap">{value}</span>
        <span className="text-ink-3 max-sm:hidden">
          <Sparkline values={recent} width={96} height={28} />
        </span>
      </div>
      <Progress label={title} fraction={share} />
      <p className="figures text-xs text-ink-3">{note}</p>
    </div>
  );
}

/** Its id until the name is known. */
function RunName({ runId }: { runId: string }) {
  return useQuery(runQuery(runId)).data?.name ?? runId;
}

function LiveRuns({ runs }: { runs: System["runs"] }) {
  return (
    <Panel title="Live runs" flush>
      {runs.length === 0 && <p className="px-4 py-3 text-xs leading-6 text-ink-3">No run is active.</p>}
      <ul className="divide-y">
        {runs.map((run) => (
          <li
            key={run.run_id}
            className="figures flex flex-wrap items-center gap-x-6 gap-y-1 px-4 py-2.5 text-xs text-ink-2"
          >
            <Link
              to="/runs/$runId"
              params={{ runId: run.run_id }}
              className="mr-auto inline-flex min-h-6 items-center font-sans text-sm text-ink underline underline-offset-4"
            >
              <RunName runId={run.run_id} />
            </Link>
            <span>{`${run.processes} processes`}</span>
            <span>{`${formatDuration(run.cpu_s)} CPU time`}</span>
            <span>{formatBytes(run.memory_bytes)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
