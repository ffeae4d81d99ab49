/** Groups runs that differ only in their seed. Pure. */
import type { Run } from "@/api/types";
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

/** The seed of a script is an argument of its command. */
const commandWithoutSeed = (command: unknown): string =>
  Array.isArray(command) ? command.join("\0").replaceAll(/\0--?seed[=\0]\d+/g, "") : "";
