/** Runs of the studies of the compared runs that have the same settings and are not compared yet. */
import { useQueries } from "@tanstack/react-query";
import type { Run, Variant } from "@/api/types";
import { variantsQuery } from "@/entities/studies/queries";

const WHILE_CREATED_MS = 2_000;

export function useMissingSeeds(runs: readonly Run[]): string[] {
  const studies = [...new Set(runs.flatMap((run) => run.study_id ?? []))];
  const queries = useQueries({
    queries: studies.map((studyId) => ({
      ...variantsQuery(studyId),
      // A study creates the runs of seeds that were added a little later.
      refetchInterval: ({ state }: { state: { data?: Variant[] } }) =>
        variantsOf(runs, state.data ?? []).some((one) => one.created < one.seeds.length)
          ? WHILE_CREATED_MS
          : (false as const),
    })),
  });
  return missingSeeds(
    runs,
    queries.flatMap((query) => query.data ?? []),
  );
}

export function missingSeeds(runs: readonly Run[], variants: readonly Variant[]): string[] {
  const known = new Set(runs.map((run) => run.id));
  return variantsOf(runs, variants).flatMap((one) => one.run_ids.filter((id) => !known.has(id)));
}

const variantsOf = (runs: readonly Run[], variants: readonly Variant[]): Variant[] =>
  variants.filter((one) => runs.some((run) => run.study_id === one.study_id && run.variant === one.number));
