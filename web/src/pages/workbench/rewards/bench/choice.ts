/** What is tried on which episodes. Pure. */
import type { BenchRequest, BenchReward, Code, CodeVersion, Run } from "@/api/types";
import { spellCode } from "@/entities/codes/words";

export const KINDS = ["train", "evaluate", "play"] as const;
export type BenchKind = (typeof KINDS)[number];
export const KIND_WORDS: Record<BenchKind, string> = {
  train: "trainings",
  evaluate: "evaluations",
  play: "plays",
};
export const LIMITS = [50, 200, 500, 1000] as const;

export interface BenchChoice {
  /** None: all runs of the environment. */
  runIds: readonly string[];
  kinds: readonly BenchKind[];
  limit: number;
  /** A saved reward next to the one that is open, as a link spells it; empty: none. */
  second: string;
}

/** What the editor has: code that was typed, or a version as it is saved. */
export interface OpenReward {
  source: string;
  envId: string;
  isChanged: boolean;
  version: CodeVersion | null;
}

export const openTitle = ({ isChanged, version }: OpenReward): string => {
  if (!version) return "unsaved";
  return isChanged ? `${spellCode(version)}, edited` : spellCode(version);
};

export const asReward = (open: OpenReward): BenchReward =>
  open.version && !open.isChanged
    ? { name: open.version.name, version: open.version.version }
    : { name: openTitle(open).slice(0, 64), source: open.source };

export function requestOf(
  open: OpenReward,
  choice: BenchChoice,
  second: CodeVersion | undefined,
): BenchRequest {
  const { runIds, kinds, limit } = choice;
  return {
    rewards: [asReward(open), ...(second ? [{ name: second.name, version: second.version }] : [])],
    limit,
    ...(runIds.length > 0 ? { run_ids: [...runIds] } : { env_id: open.envId, kinds: [...kinds] }),
  };
}

/** Why the bench cannot start; null when it can. */
export function whyNotBench(open: OpenReward, choice: BenchChoice): string | null {
  if (open.source.trim() === "") return "There is no code yet.";
  if (choice.runIds.length === 0 && open.envId === "")
    return "Choose an environment above, or runs whose episodes are scored.";
  return choice.runIds.length === 0 && choice.kinds.length === 0 ? "Choose at least one kind of runs." : null;
}

/** The versions that can be tried next to the open one, newest first, those of the same name first. */
export function otherVersions(known: readonly Code[], open: OpenReward): CodeVersion[] {
  const own = open.version;
  const isOpen = (one: CodeVersion) =>
    !open.isChanged && one.name === own?.name && one.version === own.version;
  const fits = known.filter(({ env_id }) => env_id === "" || open.envId === "" || env_id === open.envId);
  return fits
    .toSorted((a, b) => Number(b.name === own?.name) - Number(a.name === own?.name))
    .flatMap(({ versions }) => versions)
    .filter((one) => !isOpen(one));
}

/** "ppo on CartPole-v1 (train, 1,203 episodes)" is too long for a list: name and kind. */
export const runTitle = (run: Run): string => (run.kind === "train" ? run.name : `${run.name} (${run.kind})`);
