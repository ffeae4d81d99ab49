/** What is tried on which episodes. Pure. */
import type { BenchRequest, BenchReward, Code, CodeVersion, Run } from "@/api/types";
import { tagsFrom } from "@/entities/checkpoints/tags";
import { spellCode } from "@/entities/codes/words";

/** The kinds of runs that have recorded episodes. */
export const KINDS = ["train", "evaluate", "play"] as const;
export type BenchKind = (typeof KINDS)[number];
export const KIND_WORDS: Record<BenchKind, string> = {
  train: "trainings",
  evaluate: "evaluations",
  play: "plays",
};
export const LIMITS = [50, 200, 500, 1000] as const;
/** With the one that is open: MAX_REWARDS in core/workbench/bench.py. */
const MOST_REWARDS = 4;

export interface BenchChoice {
  /** None: all runs of the environment. */
  runIds: readonly string[];
  kinds: readonly BenchKind[];
  /** As typed, separated by commas: only runs with all of them. */
  tags: string;
  limit: number;
  /** Saved rewards next to the one that is open, as a link spells them. */
  others: readonly string[];
}

export const firstChoice = (runId: string | null): BenchChoice => ({
  runIds: runId ? [runId] : [],
  kinds: KINDS,
  tags: "",
  limit: 200,
  others: [],
});

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

/** `known`: the versions that `choice.others` may name; one that was deleted since is left out. */
export function requestOf(
  open: OpenReward,
  choice: BenchChoice,
  known: readonly CodeVersion[],
): BenchRequest {
  const { runIds, kinds, limit } = choice;
  const others = choice.others.flatMap((spelled) => known.find((one) => spellCode(one) === spelled) ?? []);
  const tags = tagsFrom(choice.tags);
  return {
    rewards: [asReward(open), ...others.map(({ name, version }) => ({ name, version }))],
    limit,
    ...(runIds.length > 0
      ? { run_ids: [...runIds] }
      : { env_id: open.envId || null, kinds: [...kinds], ...(tags.length > 0 && { tags }) }),
  };
}

/** Why the bench cannot start; null when it can. */
export function whyNotBench(open: OpenReward, choice: BenchChoice): string | null {
  if (open.source.trim() === "") return "There is no code yet.";
  if (choice.runIds.length > 0) return null;
  if (open.envId === "" && tagsFrom(choice.tags).length === 0)
    return "Choose an environment above, or runs or tags whose episodes are scored.";
  return choice.kinds.length === 0 ? "Choose at least one kind of runs." : null;
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

/** How many more rewards can be tried at once. */
export const roomFor = ({ others }: BenchChoice): number => MOST_REWARDS - 1 - others.length;

/** "ppo on CartPole-v1 (train, 1,203 episodes)" is too long for a list: name and kind. */
export const runTitle = (run: Run): string => (run.kind === "train" ? run.name : `${run.name} (${run.kind})`);
