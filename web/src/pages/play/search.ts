/** What a link to the page Play carries: what is played, by whom, and from which recorded moment. */
import type { NewPlay } from "@/api/types";
import { MODES, type Mode } from "@/entities/plays/words";
import { keysOf } from "@/lib/keys-of";
import { count, oneOf, type SearchOf, searchParams, text } from "@/lib/search";
import type { PolicyChoice } from "@/panels/policy-select/actors";

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

/** The model that a link names; null: none. */
export function policyOf({ policy, run, checkpoint }: PlaySearch): PolicyChoice | null {
  const [runId, chosen] = policy ? policy.split("@") : [run, checkpoint];
  return runId ? { runId, checkpoint: chosen || undefined } : null;
}

export const policyText = ({ runId, checkpoint }: PolicyChoice): string =>
  checkpoint ? `${runId}@${checkpoint}` : runId;

/** A link with a model and no mode is one of the stage: the model acts. */
export const modeOf = (search: PlaySearch): Mode => search.mode ?? (policyOf(search) ? "agent" : "human");

/** The play that a link asks for. What is taken over brings its own environment and seed. */
export function playOf(envId: string | undefined, mode: Mode, search: PlaySearch): NewPlay {
  const { from, episode, step = 0, seed } = search;
  const policy = mode === "human" ? null : policyOf(search);
  return {
    mode,
    ...(from !== undefined && episode !== undefined
      ? { start: { run_id: from, episode, step } }
      : { env_id: envId ?? null, seed: seed ?? null }),
    ...(policy && { policy_run_id: policy.runId, checkpoint: policy.checkpoint ?? null }),
  };
}
