/** Groups runs that differ only in their seed, and merges their lines into a mean with a band. Pure. */
import type { Run } from "@/api/types";
import type { Series } from "@/charts/series";
import { labelsOf } from "@/entities/run-labels/labels";
import { trainConfigOf } from "@/entities/runs/words";
import { formatPlural } from "@/lib/format";

/** What one chip, one line, one column and one row stand for: a run, or the seeds of one configuration. */
export interface Compared {
  /** Of the first run. */
  id: string;
  label: string;
  /** One run, or several that differ only in their seed. */
  runs: Run[];
}

/** Each run by itself, labelled by what differs. */
export function singlesOf(runs: readonly Run[]): Compared[] {
  const labels = labelsOf(runs);
  return runs.map((run) => ({ id: run.id, label: labels.get(run.id)!, runs: [run] }));
}

/** Runs that differ only in their seed together, labelled by what differs between the groups. */
export function groupsOf(runs: readonly Run[]): Compared[] {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    const key = keyOf(run);
    groups.set(key, [...(groups.get(key) ?? []), run]);
  }
  const members = [...groups.values()];
  const labels = labelsOf(members.map((group) => (group.length > 1 ? withoutSeed(group[0]!) : group[0]!)));
  return members.map((group) => ({
    id: group[0]!.id,
    label:
      group.length === 1 ? labels.get(group[0]!.id)! : groupLabel(labels.get(group[0]!.id)!, group.length),
    runs: group,
  }));
}

/** In the order in which one reads seeds: 1, 2, 3. */
export const bySeed = (runs: readonly Run[]): Run[] =>
  runs.toSorted((a, b) => (trainConfigOf(a)?.seed ?? Infinity) - (trainConfigOf(b)?.seed ?? Infinity));

const groupLabel = (label: string, count: number) => `${label} · ${formatPlural(count, "seed")}`;

/** A copy that stands for all seeds of its configuration. */
function withoutSeed(run: Run): Run {
  if (run.config.kind !== "train") return run;
  const { seed, ...config } = run.config;
  return { ...run, name: run.name.replace(` · seed ${seed}`, ""), config: config as Run["config"] };
}

function keyOf(run: Run): string {
  const config = run.config;
  if (config.kind !== "train") return run.id;
  const { command, ...params } = config.params;
  const { seed: _, ...args } = config.args ?? {};
  return JSON.stringify({ ...config, seed: null, args, params, command: commandWithoutSeed(command) });
}

const GRID = 240;

/** The mean of several lines, with the lowest and highest of them as its band. */
export function meanOf(lines: readonly Series[], as: Pick<Series, "id" | "label" | "colour">): Series {
  const known = lines.filter((line) => line.xs.length > 0);
  if (known.length === 0) return { ...as, xs: [], ys: [] };
  const from = Math.min(...known.map((line) => line.xs[0]!));
  const to = Math.max(...known.map((line) => line.xs[line.xs.length - 1]!));
  const columns = known.map((line) => bucketed(line, from, to));
  const xs: number[] = [];
  const [ys, low, high]: (number | null)[][] = [[], [], []];
  for (let b = 0; b < GRID; b++) {
    const values = columns.flatMap((column) => column[b] ?? []);
    if (values.length === 0) continue;
    xs.push(from + ((b + 0.5) / GRID) * (to - from));
    ys!.push(values.reduce((sum, value) => sum + value, 0) / values.length);
    low!.push(Math.min(...values));
    high!.push(Math.max(...values));
  }
  return { ...as, xs, ys: ys!, low: low!, high: high! };
}

/** The mean of a line's points in each bucket; gaps between points are interpolated. */
function bucketed(line: Series, from: number, to: number): (number | null)[] {
  const sums = new Float64Array(GRID);
  const counts = new Uint32Array(GRID);
  for (let i = 0; i < line.xs.length; i++) {
    const y = line.ys[i];
    if (y === null || y === undefined || !Number.isFinite(y)) continue;
    const b = Math.min(GRID - 1, Math.floor(((line.xs[i]! - from) / (to - from || 1)) * GRID));
    sums[b]! += y;
    counts[b]! += 1;
  }
  const means = Array.from(sums, (sum, b) => (counts[b]! > 0 ? sum / counts[b]! : null));
  let before = means.findIndex((mean) => mean !== null);
  for (let b = before + 1; before >= 0 && b < GRID; b++) {
    if (means[b] === null) continue;
    for (let gap = before + 1; gap < b; gap++)
      means[gap] = means[before]! + ((means[b]! - means[before]!) * (gap - before)) / (b - before);
    before = b;
  }
  return means;
}

/** The seed of a script is an argument of its command. */
const commandWithoutSeed = (command: unknown): string =>
  Array.isArray(command) ? command.join("\0").replaceAll(/\0--?seed[=\0]\d+/g, "") : "";
