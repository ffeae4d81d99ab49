/** Which rewards the form offers. Pure. */
import type { Code } from "@/api/types";
import { readSpelledCode, spellCode } from "@/entities/codes/words";

/** The newest version of each, and the one that a link names, also when it is older or gone. */
export function offeredRewards(codes: readonly Code[], chosen: string): string[] {
  const newest = codes.flatMap(({ versions }) => versions.slice(0, 1)).map(spellCode);
  if (chosen === "" || newest.includes(chosen)) return newest;
  const { name } = readSpelledCode(chosen);
  const at = newest.findIndex((one) => readSpelledCode(one).name === name);
  return at < 0 ? [chosen, ...newest] : newest.toSpliced(at + 1, 0, chosen);
}
