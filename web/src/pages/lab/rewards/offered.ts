/** Which rewards the form offers. Pure. */
import type { Code } from "@/api/types";
import { findContents, readSpelledCode, spellCode } from "@/entities/codes/words";

export interface OfferedReward {
  /** As a link spells it. */
  value: string;
  title: string;
}

/** The newest version of each, and the one that a link names, also when it is older or gone. */
export function offeredRewards(codes: readonly Code[], chosen: string): OfferedReward[] {
  const newest = codes
    .flatMap(({ versions }) => versions.slice(0, 1))
    .map((version) => ({ value: spellCode(version), title: spellCode(version) }));
  if (chosen === "") return newest;
  const wanted = readSpelledCode(chosen);
  const saved = findContents(codes, wanted);
  const title = spellCode(saved ?? wanted);
  // A link of a run names contents: what is no longer saved is taken from the run.
  const option = { value: chosen, title: saved || !wanted.sha256 ? title : `${title} (the run’s copy)` };
  const same = newest.findIndex((one) => one.title === option.title);
  if (same >= 0) return newest.with(same, option);
  const { name } = saved ?? wanted;
  const at = newest.findIndex((one) => readSpelledCode(one.value).name === name);
  return at < 0 ? [option, ...newest] : newest.toSpliced(at + 1, 0, option);
}
