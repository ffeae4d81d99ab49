/** The columns of the table of runs: heads, widths, cells, sorting and the column menu are built from this list. */
import type { Run } from "@/api/types";
import { Sparkline } from "@/charts/Sparkline";
import { valueText } from "@/entities/run-labels/settings";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { isLive, STATUS_DOTS } from "@/entities/runs/status";
import { hasKnownEnd, trainConfigOf, workDone } from "@/entities/runs/words";
import { formatCount, formatDate, formatDuration, formatNumber, NOTHING } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { cx } from "@/ui/cx";
import { Progress } from "@/ui/Progress";
import type { Column } from "./column";
import { METRIC, metricColumn } from "./metric-columns";

export const COLUMNS: readonly Column[] = [
  {
    id: "status",
    title: "Status",
    width: "7rem",
    sort: "status",
    cell: (run) => <StatusBadge status={run.status} cause={run.reason?.cause} />,
  },
  {
    id: "name",
    title: "Name",
    width: "minmax(18rem,1fr)",
    sort: "name",
    isFixed: true,
    cell: (run, colour) => <NameCell run={run} colour={colour} />,
  },
  {
    id: "environment",
    title: "Environment",
    width: "8.5rem",
    sort: "env_id",
    cell: (run) => run.env_id || NOTHING,
  },
  {
    id: "algorithm",
    title: "Algorithm",
    width: "5.75rem",
    sort: "algorithm",
    cell: (run) => run.algorithm?.toUpperCase() || NOTHING,
  },
  { id: "runner", title: "Runner", width: "5.5rem", cell: (run) => trainConfigOf(run)?.runner },
  {
    id: "seed",
    title: "Seed",
    width: "4rem",
    sort: "seed",
    isFigure: true,
    cell: (run) => trainConfigOf(run)?.seed ?? "",
  },
  numberColumn("best", "Best", "best_mean_reward", "The best mean over 100 episodes."),
  numberColumn("mean", "Mean", "mean_reward", "The mean of the last 100 episodes."),
  numberColumn("last", "Last", "last_reward", "The return of the last episode."),
  {
    ...numberColumn("bestEpisode", "Best episode", "best_reward", "The return of the best single episode."),
    width: "7rem",
  },
  {
    id: "course",
    title: "Curve",
    width: "6.75rem",
    cell: (run, colour) => (
      <Sparkline values={run.summary.sparkline} width={92} height={22} colour={colour} />
    ),
  },
  {
    id: "steps",
    title: "Steps",
    width: "6.5rem",
    sort: "timestep",
    isFigure: true,
    cell: (run) => (isWaiting(run) ? "" : workDone(run)),
  },
  {
    id: "episodes",
    title: "Episodes",
    width: "6rem",
    sort: "episodes",
    isFigure: true,
    cell: (run) => (isWaiting(run) ? "" : formatCount(run.progress.episodes)),
  },
  {
    id: "duration",
    title: "Duration",
    width: "6.5rem",
    sort: "duration",
    isFigure: true,
    cell: (run) => (isWaiting(run) ? "" : formatDuration(run.progress.elapsed_s)),
  },
  { id: "tags", title: "Tags", width: "5rem", cell: (run) => <Tags run={run} /> },
  {
    id: "created",
    title: "Created",
    width: "7rem",
    sort: "created_at",
    cell: (run) => <span className="text-xs text-ink-2">{formatDate(run.created_at)}</span>,
  },
];

type Reward = "best_mean_reward" | "mean_reward" | "last_reward" | "best_reward";

function numberColumn(id: string, title: string, name: Reward, help: string): Column {
  return {
    id,
    title,
    help,
    width: "5rem",
    sort: name,
    isFigure: true,
    cell: (run) => (isWaiting(run) ? "" : formatNumber(run.summary[name])),
  };
}

/** It has no numbers yet: its cells stay empty instead of full of dashes. */
const isWaiting = (run: Run): boolean => run.attempt === 0 && !run.source;

/** The columns shown by default. */
export const FIRST_COLUMNS: readonly string[] = COLUMNS.map((column) => column.id).filter(
  (id) => !["runner", "episodes", "mean", "bestEpisode"].includes(id),
);

const PARAMETER = "params.";

/** A parameter or a metric, which only some runs have. */
export const isOptional = (id: string): boolean => id.startsWith(PARAMETER) || id.startsWith(METRIC);

/** A hyper-parameter, or an argument that a script reported, as a column. */
export function parameterColumn(name: string): Column {
  return {
    id: PARAMETER + name,
    title: name.replaceAll("_", " "),
    width: "7rem",
    sort: PARAMETER + name,
    isFigure: true,
    cell: (run) => {
      const value = settingsOf(run)[name];
      return value === undefined ? "" : valueText(value);
    },
  };
}

function settingsOf(run: Run): Record<string, unknown> {
  const config = trainConfigOf(run);
  return { ...config?.args, ...config?.params };
}

/** The names of parameters that a column can show, those in which the runs differ first. */
export function parametersOf(runs: readonly Run[]): string[] {
  const values = new Map<string, Set<string>>();
  for (const run of runs)
    for (const [name, value] of Object.entries(settingsOf(run)))
      if (name !== "command") values.set(name, (values.get(name) ?? new Set()).add(JSON.stringify(value)));
  const differs = (name: string) => (values.get(name)!.size > 1 ? 0 : 1);
  return [...values.keys()].sort((a, b) => differs(a) - differs(b) || a.localeCompare(b));
}

/** In the order of the list, parameters and metrics after the seed. */
export function columnsOf(chosen: readonly string[]): Column[] {
  const own = COLUMNS.filter((column) => column.isFixed || chosen.includes(column.id));
  const parameters = chosen
    .filter(isOptional)
    .map((id) =>
      id.startsWith(METRIC)
        ? metricColumn(id.slice(METRIC.length))
        : parameterColumn(id.slice(PARAMETER.length)),
    );
  const seed = own.findIndex((column) => column.id === "seed") + 1;
  return seed > 0 ? own.toSpliced(seed, 0, ...parameters) : [...own, ...parameters];
}

/** On a phone: status as a dot, name and best fill the width, the rest is to the right of them. */
export function narrowColumns(columns: readonly Column[]): Column[] {
  const best = COLUMNS.find((column) => column.id === "best")!;
  const rest = columns.filter(({ id }) => !["status", "name", "best"].includes(id));
  const status: Column = {
    id: "status",
    title: "",
    width: "1.75rem",
    cell: (run) => <StatusDot status={run.status} />,
  };
  return [status, { ...COLUMNS.find(({ id }) => id === "name")!, width: NARROW_NAME }, best, ...rest];
}

/** What the checkbox, the dot, the best, the menu and the margins leave of the window. */
const NARROW_NAME = "max(9rem, calc(100vw - 14.25rem))";

function StatusDot({ status }: { status: Run["status"] }) {
  return (
    <span title={status} className="flex items-center">
      <span aria-hidden="true" className={cx("size-2.5 rounded-full", STATUS_DOTS[status])} />
      <span className="sr-only">{status}</span>
    </span>
  );
}

function NameCell({ run, colour }: { run: Run; colour: string }) {
  const { special, common } = nameParts(run.name);
  return (
    <div className="flex min-w-0 items-center gap-2.5">
      <span aria-hidden="true" className="size-2 shrink-0 rounded-full" style={{ background: colour }} />
      <div className="min-w-0 flex-1">
        {/* A plain link: the router's own is slow enough to drop frames while scrolling. The table handles clicks on it. */}
        <a
          href={`/runs/${run.id}`}
          data-run={run.id}
          title={run.name}
          aria-label={run.name}
          className="ring-inside block truncate rounded-sm leading-tight font-medium hover:underline"
        >
          {special}
        </a>
        {(common || run.parent_id) && (
          <p className="flex gap-2 truncate text-2xs leading-tight text-ink-3">
            <span className="truncate">{common}</span>
            {run.parent_id && (
              <a href={`/runs/${run.parent_id}`} data-run={run.parent_id} className="shrink-0 underline">
                its training
              </a>
            )}
          </p>
        )}
        {isLive(run) && run.status !== "queued" && (
          <Progress
            label={`Progress of ${run.name}`}
            fraction={hasKnownEnd(run) ? run.progress.fraction : null}
          />
        )}
      </div>
    </div>
  );
}

/** What is special about the run, in full; and what it has in common with many runs. */
export function nameParts(name: string): { special: string; common: string } {
  const at = name.indexOf(" · ");
  return at < 0 ? { special: name, common: "" } : { special: name.slice(at + 3), common: name.slice(0, at) };
}

function Tags({ run }: { run: Run }) {
  return (
    <span className="flex gap-1 overflow-hidden">
      {run.tags.map((tag) => (
        <Badge key={tag}>{tag}</Badge>
      ))}
    </span>
  );
}
