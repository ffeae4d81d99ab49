/** How more seeds of compared configurations are trained: by their study, or run by run. Pure. */
import type { Run } from "@/api/types";
import { whyNotAgain } from "@/entities/runs/use-again";
import { trainConfigOf } from "@/entities/runs/words";

export type MoreSeeds =
  | { kind: "study"; studyId: string; variants: number[]; count: number }
  | { kind: "runs"; repeats: { run: Run; seed: number }[] };

/** A configuration that lacks seeds. */
export interface Lacking {
  runs: readonly Run[];
  count: number;
}

export function planMoreSeeds(groups: readonly Lacking[]): MoreSeeds {
  const runs = groups.flatMap((group) => group.runs);
  const studyId = runs[0]?.study_id;
  if (studyId && runs.every((run) => run.study_id === studyId && typeof run.variant === "number"))
    return {
      kind: "study",
      studyId,
      variants: [...new Set(runs.map((run) => run.variant!))],
      count: Math.max(...groups.map((group) => group.count)),
    };
  return {
    kind: "runs",
    repeats: groups.flatMap((group) =>
      freshSeeds(runs, group.count).map((seed) => ({ run: group.runs[0]!, seed })),
    ),
  };
}

export const runsOf = (plan: MoreSeeds): number =>
  plan.kind === "study" ? plan.variants.length * plan.count : plan.repeats.length;

/** Why they cannot be trained; null when they can. */
export function whyNoMoreSeeds(plan: MoreSeeds): string | null {
  if (plan.kind === "study") return null;
  return plan.repeats.map(({ run }) => whyNotAgain(run)).find((reason) => reason !== null) ?? null;
}

/** The lowest that none of these runs has. */
export function freshSeeds(runs: readonly Run[], count: number): number[] {
  const used = new Set(runs.map((run) => trainConfigOf(run)?.seed));
  const found: number[] = [];
  for (let seed = 1; found.length < count; seed++) if (!used.has(seed)) found.push(seed);
  return found;
}
