/** The listed episodes of a run as the choice of a new dataset. Pure. */
import type { EpisodeChoice, Run } from "@/api/types";
import type { EpisodeFilter } from "@/entities/episodes/queries";

const KINDS: readonly string[] = ["train", "evaluate", "play", "fork", "duel"] satisfies NonNullable<
  EpisodeChoice["kinds"]
>;

/** Of its filter, what a dataset can be chosen by: returns and lengths. */
export function choiceOf(run: Pick<Run, "id" | "kind">, filter: EpisodeFilter): EpisodeChoice {
  return {
    runs: [run.id],
    kinds: (KINDS.includes(run.kind) ? [run.kind] : []) as EpisodeChoice["kinds"],
    return_min: filter.min_reward ?? null,
    return_max: filter.max_reward ?? null,
    length_min: filter.min_length || null,
    length_max: filter.max_length || null,
  };
}
