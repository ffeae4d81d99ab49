/** What completion offers in evaluation code. Pure. */
import type { Environment } from "@/api/types";
import { NUMPY, observationWords, type Word } from "@/panels/code-editor/words";

const FIELDS: Record<string, string> = {
  observations: "n + 1 of them, the first from the reset",
  actions: "n of them",
  rewards: "the environment’s, n of them",
  infos: "n + 1 dicts, the first from the reset",
  own_rewards: "of the run’s own reward, if it has one",
  return_: "sum of the rewards",
  length: "steps",
  seed: "of its reset",
  terminated: "whether the task ended it",
  truncated: "whether the time limit ended it",
  env_id: "the environment",
};

export const evaluationWords = (environment: Environment | undefined): Word[] => [
  { label: "episode", kind: "argument", detail: "the whole episode" },
  ...Object.entries(FIELDS).map(
    ([label, detail]) => ({ label, detail, kind: "argument", after: "episode." }) as const,
  ),
  ...observationWords(environment?.observation_names ?? [], ["episode.observations[-1]"]),
  ...NUMPY,
];
