import type { ProblemError } from "@/api/problem";
import type { Draft } from "@/pages/lab/draft/draft";
import type { DraftState } from "@/pages/lab/draft/use-draft";

/** What every part of the form gets. */
export interface TrainingFormProps {
  state: DraftState;
  draft: Draft;
  errors: ReturnType<ProblemError["fieldErrors"]>;
}
