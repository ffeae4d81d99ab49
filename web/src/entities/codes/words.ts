/** Saved code in words. Pure. */
import type { Code, CodeCheck, CodeChoice, CodeVersion } from "@/api/types";
import { formatPercent } from "@/lib/format";

/** gentle@v2; without a version gentle. */
export const spellCode = ({ name, version }: Pick<CodeChoice, "name" | "version">): string =>
  version == null ? name : `${name}@v${version}`;

export function readSpelledCode(text: string): CodeChoice {
  const found = /^(.*?)(?:@v?(\d+))?$/i.exec(text);
  return { name: found?.[1] ?? text, version: found?.[2] ? Number(found[2]) : null };
}

/** The version that is asked for; without one the newest. */
export const versionOfCode = (code: Code, version: number | null | undefined): CodeVersion | undefined =>
  version == null ? code.versions[0] : code.versions.find((one) => one.version === version);

export const usedBy = (code: Code): number => code.versions.reduce((sum, { used_by }) => sum + used_by, 0);

const FREE = 0.01;
/** From here on the lab warns of it in a remark: NOTICED in worker/user_code/checking.py. */
const WARNED = 0.3;

/** "This costs about 4 % of your speed."; null when it is not known, or said already. */
export function slowdownText(slowdown: number | null): string | null {
  if (slowdown === null || slowdown >= WARNED) return null;
  return slowdown < FREE
    ? "This costs less than 1 % of your speed."
    : `This costs about ${formatPercent(slowdown)} of your speed.`;
}

export type Verdict = "good" | "warned" | "wrong";

export function verdictOf(check: CodeCheck): Verdict {
  if (!check.is_usable) return "wrong";
  return check.remarks.some(({ level }) => level === "warning") ? "warned" : "good";
}
