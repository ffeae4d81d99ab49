/** What a runner can, in words. Pure. */
import type { Runner } from "@/api/types";

const WORDS: Record<keyof Runner["capabilities"], string> = {
  pause: "pauses",
  checkpoint: "saves checkpoints",
  resume: "goes on after a stop",
  evaluate: "can be tested",
  record: "keeps episodes",
  thoughts: "says what it thinks",
  early_stop: "stops when solved",
  gpu: "uses a GPU",
  vectors_only: "learns from vectors only",
  exports: "exports its models",
  foreign: "runs code from outside the lab",
  own_environment: "makes its own environment",
};

export function capabilityWords(runner: Runner): string {
  const names = Object.keys(WORDS) as (keyof Runner["capabilities"])[];
  return names
    .filter((name) => isOffered(runner.capabilities[name]))
    .map((name) => WORDS[name])
    .join(" · ");
}

/** A flag, or a list that has something in it. */
const isOffered = (offer: boolean | readonly string[] | undefined): boolean =>
  Array.isArray(offer) ? offer.length > 0 : Boolean(offer);
