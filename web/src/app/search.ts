/** The state a link carries, by route. Unknown or broken values fall away: an old link still opens. */

import type { RunStatus } from "@/api/types";

export const STATUSES: readonly RunStatus[] = [
  "created",
  "queued",
  "starting",
  "running",
  "paused",
  "stopping",
  "succeeded",
  "failed",
  "stopped",
  "lost",
];

export type XAxis = "step" | "episode" | "time";
export const X_AXES: readonly XAxis[] = ["step", "episode", "time"];

/** How charts are drawn; shared by a run's page and the comparison. */
export interface ChartSearch {
  smooth?: number;
  x?: XAxis;
  log?: boolean;
  /** The shown range of x, in whole steps, episodes or seconds. */
  from?: number;
  to?: number;
}

export interface LabSearch {
  run?: string;
  env?: string;
  algorithm?: string;
  preset?: string;
}

export interface RunsSearch {
  q?: string;
  status?: RunStatus;
  sort?: string;
  tag?: string;
  archived?: boolean;
}

export const RUN_TABS = [
  "overview",
  "charts",
  "config",
  "episodes",
  "evaluations",
  "artifacts",
  "log",
] as const;
export type RunTab = (typeof RUN_TABS)[number];

export interface RunSearch extends ChartSearch {
  tab?: RunTab;
  episode?: number;
  frame?: number;
}

export interface CompareSearch extends ChartSearch {
  /** Run ids, joined by commas. */
  runs?: string;
  metric?: string;
  all?: boolean;
}

export interface EnvironmentsSearch {
  q?: string;
  env?: string;
}

type Raw = Record<string, unknown>;

export const labSearch = (raw: Raw): LabSearch =>
  present({
    run: text(raw.run),
    env: text(raw.env),
    algorithm: text(raw.algorithm),
    preset: text(raw.preset),
  });

export const runsSearch = (raw: Raw): RunsSearch =>
  present({
    q: text(raw.q),
    status: oneOf(raw.status, STATUSES),
    sort: text(raw.sort),
    tag: text(raw.tag),
    archived: flag(raw.archived),
  });

export const runSearch = (raw: Raw): RunSearch =>
  present({
    ...chartSearch(raw),
    tab: oneOf(raw.tab, RUN_TABS),
    episode: whole(raw.episode),
    frame: whole(raw.frame),
  });

export const compareSearch = (raw: Raw): CompareSearch =>
  present({ ...chartSearch(raw), runs: text(raw.runs), metric: text(raw.metric), all: flag(raw.all) });

export const environmentsSearch = (raw: Raw): EnvironmentsSearch =>
  present({ q: text(raw.q), env: text(raw.env) });

function chartSearch(raw: Raw): ChartSearch {
  const smooth = number(raw.smooth);
  return {
    smooth: smooth === undefined ? undefined : Math.min(0.999, Math.max(0, smooth)),
    x: oneOf(raw.x, X_AXES),
    log: flag(raw.log),
    from: whole(raw.from),
    to: whole(raw.to),
  };
}

function text(value: unknown): string | undefined {
  const found = typeof value === "number" ? String(value) : value;
  return typeof found === "string" && found !== "" ? found : undefined;
}

function number(value: unknown): number | undefined {
  const found = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

function whole(value: unknown): number | undefined {
  const found = number(value);
  return found === undefined || found < 0 ? undefined : Math.round(found);
}

const flag = (value: unknown): boolean | undefined =>
  value === true || value === "true" ? true : value === false || value === "false" ? false : undefined;

function oneOf<T extends string>(value: unknown, known: readonly T[]): T | undefined {
  return known.find((item) => item === value);
}

function present<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T;
}
