/** The link of “Train with it”. Pure. */
import type { CodeVersion, Run, Runner } from "@/api/types";
import { spellCode } from "@/entities/codes/words";
import { formSearch } from "@/entities/runs/form-link";

export interface Trained {
  version: CodeVersion;
  /** The environment that the reward is written for; empty: any. */
  envId: string;
  /** The run that the reward was opened from. */
  run?: Run;
  runners?: readonly Runner[];
}

/** All settings of the run with this reward instead of its own; without a run of this environment only what is known. */
export function trainSearch({ version, envId, run, runners = [] }: Trained) {
  const reward = spellCode(version);
  const settings = run && (!envId || envId === run.env_id) ? formSearch(run, runners) : null;
  return settings ? { ...settings, reward } : { env: envId || run?.env_id || undefined, reward };
}
