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

/** "metric:<name>" draws one metric over another. */
export type XAxis = "step" | "episode" | "time" | "relative" | `metric:${string}`;
export const X_AXES = ["step", "episode", "time", "relative"] as const;

export const KINDS = ["train", "evaluate", "fork", "duel", "film", "all"] as const;
export type Kind = (typeof KINDS)[number];

export const ENDINGS = ["terminated", "truncated"] as const;
export const EPISODE_SORTS = ["-episode", "episode", "-reward", "reward", "-length", "length"] as const;

/** How charts are drawn; shared by a run's page and the comparison. */
export interface ChartSearch {
  smooth?: number;
  x?: XAxis;
  log?: boolean;
  /** The spread around the line: lowest and highest of its neighbourhood. */
  band?: boolean;
  /** Only metrics whose name holds this. */
  find?: string;
  /** The shown range of x, in steps, episodes or seconds. */
  from?: number;
  to?: number;
}

export interface LabSearch {
  /** The shown run; the newest when absent. */
  run?: string;
  /** The evaluation in the feed. */
  evaluation?: string;
  /** The environment previewed in the feed. */
  preview?: string;
  env?: string;
  /** Runner and algorithm, such as turbo/ppo. */
  algorithm?: string;
  preset?: string;
  /** What was typed for the next run: steps, seed, whether to stop early, parameters that differ. */
  steps?: number;
  seed?: number;
  solved?: boolean;
  params?: Record<string, unknown>;
}

export interface RunsSearch {
  q?: string;
  status?: RunStatus;
  kind?: Kind;
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
  "events",
  "log",
] as const;
export type RunTab = (typeof RUN_TABS)[number];

/** Which episodes of a run are listed. */
export interface EpisodeSearch {
  min_reward?: number;
  max_reward?: number;
  min_length?: number;
  max_length?: number;
  min_timestep?: number;
  max_timestep?: number;
  ending?: (typeof ENDINGS)[number];
  episodes?: (typeof EPISODE_SORTS)[number];
}

export interface RunSearch extends ChartSearch, EpisodeSearch {
  tab?: RunTab;
  episode?: number;
  frame?: number;
  /** The fork shown beside the episode it left. */
  fork?: string;
  /** The evaluation that is open. */
  evaluation?: string;
  /** Every parameter, not only those that differ. */
  all?: boolean;
}

export interface CompareSearch extends ChartSearch {
  /** Run ids, joined by commas. */
  runs?: string;
  /** Runs that are listed but not drawn. */
  hidden?: string;
  /** Runs that differ in their seed alone: one line with a band. */
  group?: boolean;
  all?: boolean;
  /** The duel that is open. */
  duel?: string;
}

export interface EnvironmentsSearch {
  q?: string;
  env?: string;
}

type Raw = Record<string, unknown>;

export const labSearch = (raw: Raw): LabSearch =>
  present({
    run: text(raw.run),
    evaluation: text(raw.evaluation),
    preview: text(raw.preview),
    env: text(raw.env),
    algorithm: text(raw.algorithm),
    preset: text(raw.preset),
    steps: whole(raw.steps),
    seed: whole(raw.seed),
    solved: flag(raw.solved),
    params: record(raw.params),
  });

export const runsSearch = (raw: Raw): RunsSearch =>
  present({
    q: text(raw.q),
    status: oneOf(raw.status, STATUSES),
    kind: oneOf(raw.kind, KINDS),
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
    fork: text(raw.fork),
    evaluation: text(raw.evaluation),
    all: flag(raw.all),
    min_reward: number(raw.min_reward),
    max_reward: number(raw.max_reward),
    min_length: whole(raw.min_length),
    max_length: whole(raw.max_length),
    min_timestep: whole(raw.min_timestep),
    max_timestep: whole(raw.max_timestep),
    ending: oneOf(raw.ending, ENDINGS),
    episodes: oneOf(raw.episodes, EPISODE_SORTS),
  });

export const compareSearch = (raw: Raw): CompareSearch =>
  present({
    ...chartSearch(raw),
    runs: text(raw.runs),
    hidden: text(raw.hidden),
    group: flag(raw.group),
    all: flag(raw.all),
    duel: text(raw.duel),
  });

export const environmentsSearch = (raw: Raw): EnvironmentsSearch =>
  present({ q: text(raw.q), env: text(raw.env) });

function chartSearch(raw: Raw): ChartSearch {
  const smooth = number(raw.smooth);
  return {
    smooth: smooth === undefined ? undefined : Math.min(0.999, Math.max(0, smooth)),
    x: xAxis(raw.x),
    log: flag(raw.log),
    band: flag(raw.band),
    find: text(raw.find),
    from: number(raw.from),
    to: number(raw.to),
  };
}

function xAxis(value: unknown): XAxis | undefined {
  const metric = typeof value === "string" && /^metric:[\w./-]+$/.test(value);
  return metric ? (value as XAxis) : oneOf(value, X_AXES);
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

function record(value: unknown): Record<string, unknown> | undefined {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
  return isRecord && Object.keys(value).length > 0 ? (value as Record<string, unknown>) : undefined;
}

function oneOf<T extends string>(value: unknown, known: readonly T[]): T | undefined {
  return known.find((item) => item === value);
}

function present<T extends object>(search: T): T {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T;
}
