/** The capabilities of a runner as text. Pure. */
import type { Runner } from "@/api/types";

type Offered = Exclude<keyof Runner["capabilities"], "not_restored">;

const WORDS: Record<Offered, string> = {
  pause: "can pause",
  checkpoint: "saves checkpoints",
  resume: "can resume",
  exact_resume: "resumes exactly",
  evaluate: "can be evaluated",
  own_classes: "is evaluated by the script's own classes",
  record: "records episodes",
  thoughts: "shows policy outputs",
  early_stop: "stops when solved",
  gpu: "uses a GPU",
  vectors_only: "vector observations only",
  exports: "exports its models",
  foreign: "runs code from outside the lab",
  own_environment: "creates its own environment",
  dataset: "learns from a dataset",
  own_reward: "learns from your reward",
};

export function capabilityWords(runner: Runner): string {
  const names = Object.keys(WORDS) as Offered[];
  return names
    .filter((name) => isOffered(runner.capabilities[name]))
    .map((name) => WORDS[name])
    .join(" · ");
}

/** A flag that is set, or a list that is not empty. */
const isOffered = (offer: boolean | readonly string[] | undefined): boolean =>
  Array.isArray(offer) ? offer.length > 0 : Boolean(offer);
