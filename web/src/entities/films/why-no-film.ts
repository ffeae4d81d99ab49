/** Whether a run has recorded episodes to film: a play needs one, a training two. Pure. */
import type { Run } from "@/api/types";

/** Null when there are enough. */
export function whyNoEpisodes({ kind, progress: { episodes } }: Run): string | null {
  if (kind === "play") return episodes < 1 ? "A film needs a played episode." : null;
  return episodes < 2 ? "A film needs at least two finished episodes." : null;
}
