/** Saved code in words. Pure. */
import type { Code, CodeCheck, CodeChoice, CodeVersion } from "@/api/types";
import { formatPercent } from "@/lib/format";

/** gentle@v2; without a version gentle. */
export const spellCode = ({ name, version }: Pick<CodeChoice, "name" | "version">): string =>
  version == null ? name : `${name}@v${version}`;

/** gentle@v2@<hash>: these contents, also after the reward was renamed or deleted. */
export const spellExactCode = (choice: CodeChoice): string =>
  choice.sha256 ? `${spellCode(choice)}@${choice.sha256}` : spellCode(choice);

export function readSpelledCode(text: string): CodeChoice {
  const [, name = text, version, sha256] = /^(.*?)(?:@v?(\d{1,9}))?(?:@([0-9a-f]{64}))?$/i.exec(text) ?? [];
  return { name, version: version ? Number(version) : null, ...(sha256 ? { sha256 } : {}) };
}

/** The version that is asked for; without one the newest. */
export const versionOfCode = (code: Code, version: number | null | undefined): CodeVersion | undefined =>
  version == null ? code.versions[0] : code.versions.find((one) => one.version === version);

/** The saved version that a run has used: by its contents, because code can be renamed, deleted and written again. */
export function findContents(codes: readonly Code[], choice: CodeChoice): CodeVersion | undefined {
  const named = codes.find(({ name }) => name === choice.name);
  const meant = named && versionOfCode(named, choice.version);
  if (!choice.sha256 || meant?.sha256 === choice.sha256) return meant;
  return codes.flatMap(({ versions }) => versions).find(({ sha256 }) => sha256 === choice.sha256);
}

export const usedBy = (code: Code): number => code.versions.reduce((sum, { used_by }) => sum + used_by, 0);

const FREE = 0.01;
/** From here on the lab warns of it in a remark: NOTICED in core/workbench/reward_costs.py. */
const WARNED = 0.3;

/** Without a learner; null when it is not known, or said already. */
export const slowdownText = (slowdown: number | null): string | null =>
  costText(slowdown, (share) => `Compared with the environment’s own steps it costs ${share} of the speed.`);

/** For a training, whose learner takes time, too; null when it is not known, or said already. */
export const trainingCostText = (slowdown: number | null): string | null =>
  costText(slowdown, (share) => `It costs ${share} of this training’s speed.`);

function costText(slowdown: number | null, write: (share: string) => string): string | null {
  if (slowdown === null || slowdown >= WARNED) return null;
  return write(slowdown < FREE ? "less than 1 %" : `about ${formatPercent(slowdown)}`);
}

/** Whether the lab has called it. Environments count no calls; they have a speed and an entry in the catalogue. */
export const wasRun = ({ calls, calls_per_second, environment }: CodeCheck): boolean =>
  calls > 0 || calls_per_second !== null || environment !== null;

export type Verdict = "good" | "warned" | "untried" | "wrong";

export function verdictOf(check: CodeCheck): Verdict {
  if (!check.is_usable) return "wrong";
  if (!wasRun(check)) return "untried";
  return check.remarks.some(({ level }) => level === "warning") ? "warned" : "good";
}
