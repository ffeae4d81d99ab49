/** What a link to the page Play carries: what is played, by whom, and from which recorded moment. */
import { MODES, type Mode } from "@/entities/plays/words";
import { keysOf } from "@/lib/keys-of";
import { count, oneOf, type SearchOf, searchParams, text } from "@/lib/search";

export const playSearch = searchParams({
  env: text,
  mode: oneOf(keysOf(MODES)),
  /** The model that acts: "run@checkpoint", or "run" for its best. */
  policy: text,
  /** The model of older links. */
  run: text,
  checkpoint: text,
  seed: count,
  /** The run, episode and step that are taken over. */
  from: text,
  episode: count,
  step: count,
});
export type PlaySearch = SearchOf<typeof playSearch>;

export interface PolicyChoice {
  runId: string;
  /** Absent: the run's best. */
  checkpoint?: string;
}

/** The model that a link names; null: none. */
export function policyOf({ policy, run, checkpoint }: PlaySearch): PolicyChoice | null {
  const [runId, chosen] = policy ? policy.split("@") : [run, checkpoint];
  return runId ? { runId, checkpoint: chosen || undefined } : null;
}

export const policyText = ({ runId, checkpoint }: PolicyChoice): string =>
  checkpoint ? `${runId}@${checkpoint}` : runId;

/** A link with a model and no mode is one of the stage: the model acts. */
export const modeOf = (search: PlaySearch): Mode => search.mode ?? (policyOf(search) ? "agent" : "human");
