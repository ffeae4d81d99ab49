/** A protocol as it is typed, and the request that saves it. Pure. */
import type { NewProtocol, ProtocolVersion } from "@/api/types";
import { readSpelledCode, spellCode } from "@/entities/codes/words";
import { isListed, type Wrapper, withoutWrappers, wrappersOf } from "@/panels/wrappers/chosen";

export interface ProtocolDraft {
  name: string;
  envId: string;
  episodes: string;
  /** Numbers, separated by commas or spaces; empty: drawn from `baseSeed`. */
  seeds: string;
  baseSeed: string;
  deterministic: boolean;
  /** JSON, without the wrappers. */
  envKwargs: string;
  /** In place of those of the run, none of them too; null: those of the run. */
  wrappers: readonly Wrapper[] | null;
  code: string;
  threshold: string;
  judgedBy: string;
  passes: "at_least" | "at_most";
  description: string;
}

export const NEW_PROTOCOL: ProtocolDraft = {
  name: "",
  envId: "",
  episodes: "20",
  seeds: "",
  baseSeed: "0",
  deterministic: true,
  envKwargs: "",
  wrappers: null,
  code: "",
  threshold: "",
  judgedBy: "return",
  passes: "at_least",
  description: "",
};

export const draftOf = (one: ProtocolVersion): ProtocolDraft => ({
  name: one.is_built_in ? "" : one.name,
  envId: one.env_id,
  episodes: String(one.episodes),
  seeds: one.seeds?.join(", ") ?? "",
  baseSeed: String(one.base_seed),
  deterministic: one.deterministic,
  envKwargs: textOf(withoutWrappers(one.env_kwargs)),
  wrappers: isListed(one.env_kwargs) ? wrappersOf(one.env_kwargs) : null,
  code: one.code ? spellCode(one.code) : "",
  threshold: one.threshold === null ? "" : String(one.threshold),
  judgedBy: one.judged_by,
  passes: one.passes,
  description: one.description,
});

const textOf = (args: Record<string, unknown>): string =>
  Object.keys(args).length > 0 ? JSON.stringify(args) : "";

export type DraftProblems = Partial<Record<keyof ProtocolDraft, string>>;

const isCount = (text: string) => /^\d+$/.test(text.trim());

/** What the browser can see; the lab has the last word. */
export function problemsIn(draft: ProtocolDraft): DraftProblems {
  const found: DraftProblems = {};
  const seeds = seedsOf(draft);
  if (seeds.length === 0 && !isCount(draft.episodes)) found.episodes = "A whole number from 1 to 100.";
  if (seeds.some((seed) => !Number.isSafeInteger(seed) || seed < 0))
    found.seeds = "Whole numbers, such as 1, 2, 3.";
  if (!isCount(draft.baseSeed)) found.baseSeed = "A whole number.";
  if (draft.threshold.trim() !== "" && !Number.isFinite(Number(draft.threshold)))
    found.threshold = "A number.";
  const args = argumentsOf(draft);
  if (args === null) found.envKwargs = 'A JSON object, such as {"gravity": -8}.';
  else if (isListed(args)) found.envKwargs = "Choose wrappers in the list above, not here.";
  return found;
}

export const requestOf = (draft: ProtocolDraft): NewProtocol => {
  const seeds = seedsOf(draft);
  return {
    name: draft.name.trim(),
    env_id: draft.envId,
    ...(seeds.length > 0 ? { seeds } : { episodes: Number(draft.episodes) }),
    base_seed: Number(draft.baseSeed),
    deterministic: draft.deterministic,
    env_kwargs: { ...argumentsOf(draft), ...(draft.wrappers && { wrappers: draft.wrappers }) },
    code: draft.code ? readSpelledCode(draft.code) : null,
    threshold: draft.threshold.trim() === "" ? null : Number(draft.threshold),
    judged_by: draft.judgedBy.trim() || "return",
    passes: draft.passes,
    description: draft.description.trim(),
  } as NewProtocol;
};

const seedsOf = ({ seeds }: ProtocolDraft): number[] =>
  seeds
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);

function argumentsOf({ envKwargs }: ProtocolDraft): Record<string, unknown> | null {
  if (envKwargs.trim() === "") return {};
  try {
    const found: unknown = JSON.parse(envKwargs);
    return typeof found === "object" && found !== null && !Array.isArray(found)
      ? (found as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
