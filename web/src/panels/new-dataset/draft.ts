/** What was chosen for a new dataset, and the job that makes it. Pure. */
import type { Collector, DatasetOperation, EpisodeChoice } from "@/api/types";
import { tagsFrom } from "@/entities/checkpoints/tags";
import { nameProblem } from "@/panels/name-model/draft";
import { numberOf, numberProblem } from "./numbers";

/** Name, note and licence of what is made. */
export interface MadeDraft {
  name: string;
  note: string;
  licence: string;
}

export const EMPTY_MADE: MadeDraft = { name: "", note: "", licence: "" };

const madeOf = ({ name, note, licence }: MadeDraft) => ({
  name: name.trim(),
  note: note.trim(),
  licence: licence.trim(),
});

/** The same job for a forecast, which needs a name although none may be typed yet. */
export const counted = (operation: DatasetOperation): DatasetOperation =>
  "name" in operation && whyNoName(operation.name) ? { ...operation, name: "counted" } : operation;

export const whyNoName = (name: string): string | null =>
  name.trim() === "" ? "Type a name first." : nameProblem(name);

/** A name from an environment: "LunarLander-v3" → "lunarlander-v3". */
export const suggestName = (envId: string | null | undefined): string =>
  (envId ?? "")
    .replace(/^.*\//, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .toLowerCase()
    .slice(0, 64);

export type EpisodeKind = NonNullable<EpisodeChoice["kinds"]>[number];

export interface EpisodesDraft extends MadeDraft {
  runs: string[];
  query: string;
  tags: string;
  kinds: EpisodeKind[];
  envId: string;
  /** Single episodes that were chosen by hand, by run. */
  episodes: Record<string, number[]>;
  returnMin: number | undefined;
  returnMax: number | undefined;
  lengthMin: string;
  lengthMax: string;
  who: "" | "person" | "agent";
  limit: "" | "newest" | "best";
  most: string;
}

export function episodesDraft(choose: EpisodeChoice = {}, name = ""): EpisodesDraft {
  return {
    ...EMPTY_MADE,
    name,
    runs: choose.runs ?? [],
    query: choose.query ?? "",
    tags: (choose.tags ?? []).join(", "),
    kinds: choose.kinds ?? ["train", "evaluate", "play"],
    envId: choose.env_id ?? "",
    episodes: choose.episodes ?? {},
    returnMin: choose.return_min ?? undefined,
    returnMax: choose.return_max ?? undefined,
    lengthMin: choose.length_min ? String(choose.length_min) : "",
    lengthMax: choose.length_max ? String(choose.length_max) : "",
    who: choose.who ?? "",
    limit: choose.newest ? "newest" : choose.best ? "best" : "",
    most: String(choose.newest ?? choose.best ?? ""),
  };
}

export function makeOperation(draft: EpisodesDraft): DatasetOperation {
  const most = numberOf(draft.most);
  return {
    do: "make",
    ...madeOf(draft),
    choose: {
      runs: draft.runs,
      query: draft.query.trim(),
      tags: tagsFrom(draft.tags),
      kinds: draft.kinds,
      env_id: draft.envId || null,
      episodes: draft.episodes,
      return_min: draft.returnMin ?? null,
      return_max: draft.returnMax ?? null,
      length_min: numberOf(draft.lengthMin),
      length_max: numberOf(draft.lengthMax),
      who: draft.who || null,
      newest: draft.limit === "newest" ? most : null,
      best: draft.limit === "best" ? most : null,
    },
  };
}

/** Why the episodes cannot be counted yet; null when they can. */
export function whyNoEpisodes(draft: EpisodesDraft): string | null {
  if (draft.kinds.length === 0) return "Choose at least one kind of run.";
  const wrong = [draft.lengthMin, draft.lengthMax, draft.most].find((text) => numberProblem(text, "count"));
  if (wrong !== undefined) return "Correct the marked number first.";
  return draft.limit && !numberOf(draft.most) ? "Type how many episodes to take at most." : null;
}

export interface PolicyDraft {
  /** Empty: random actions. */
  runId: string;
  /** Empty: the best one. */
  checkpoint: string;
  share: string;
  noise: string;
  deterministic: boolean;
}

export const NEW_POLICY: PolicyDraft = {
  runId: "",
  checkpoint: "",
  share: "1",
  noise: "0",
  deterministic: true,
};

export interface CollectDraft extends MadeDraft {
  envId: string;
  policies: PolicyDraft[];
  episodes: string;
  seed: string;
}

export const collectDraft = (): CollectDraft => ({
  ...EMPTY_MADE,
  envId: "",
  policies: [NEW_POLICY],
  episodes: "100",
  seed: "0",
});

const collectorOf = (policy: PolicyDraft): Collector => ({
  run_id: policy.runId || null,
  checkpoint: policy.runId ? policy.checkpoint || null : null,
  share: numberOf(policy.share) ?? 1,
  noise: policy.runId ? (numberOf(policy.noise) ?? 0) : 0,
  deterministic: policy.deterministic,
});

export const collectOperation = (draft: CollectDraft): DatasetOperation => ({
  do: "collect",
  ...madeOf(draft),
  env_id: draft.envId || null,
  policies: draft.policies.map(collectorOf),
  episodes: numberOf(draft.episodes) ?? 0,
  seed: numberOf(draft.seed) ?? 0,
});

export function whyNoCollection(draft: CollectDraft): string | null {
  if (draft.policies.every(({ runId }) => runId === "") && draft.envId === "")
    return "Random actions need an environment: choose one.";
  if (!numberOf(draft.episodes) || numberProblem(draft.episodes, "count"))
    return "Type how many episodes to collect.";
  const isWrong = draft.policies.some(
    ({ share, noise }) => !((numberOf(share) ?? 0) > 0) || numberProblem(noise, "share"),
  );
  return isWrong ? "Correct the marked number first." : null;
}

/** "70 and 30": how many episodes each policy gets. */
export function shareCounts(draft: CollectDraft): number[] {
  const shares = draft.policies.map(({ share }) => Math.max(0, numberOf(share) ?? 0));
  const sum = shares.reduce((total, share) => total + share, 0) || 1;
  return shares.map((share) => Math.round(((numberOf(draft.episodes) ?? 0) * share) / sum));
}

export type ImportFrom = "upload" | "path" | "minari" | "buffer";
type ImportFormat = NonNullable<Extract<DatasetOperation, { do: "import" }>["format"]>;

export interface ImportDraft extends MadeDraft {
  from: ImportFrom;
  /** Id of a finished upload. */
  upload: string;
  path: string;
  minari: string;
  bufferOf: string;
  format: ImportFormat | "";
  envId: string;
  sha256: string;
  source: string;
}

export const importDraft = (): ImportDraft => ({
  ...EMPTY_MADE,
  from: "upload",
  upload: "",
  path: "",
  minari: "",
  bufferOf: "",
  format: "",
  envId: "",
  sha256: "",
  source: "",
});

export const importOperation = (draft: ImportDraft): DatasetOperation => ({
  do: "import",
  ...madeOf(draft),
  upload: draft.from === "upload" ? draft.upload : null,
  path: draft.from === "path" ? draft.path.trim() : null,
  minari: draft.from === "minari" ? draft.minari.trim() : null,
  buffer_of: draft.from === "buffer" ? draft.bufferOf : null,
  format: draft.from === "upload" || draft.from === "path" ? draft.format || null : null,
  env_id: draft.envId.trim() || null,
  sha256: draft.sha256.trim().toLowerCase() || null,
  source: draft.source.trim(),
});

const MISSING: Record<ImportFrom, [keyof ImportDraft, string]> = {
  upload: ["upload", "Choose a file first."],
  path: ["path", "Type the path of a file or folder on the lab’s machine."],
  minari: ["minari", "Type the id of a Minari dataset."],
  buffer: ["bufferOf", "Choose the run whose replay buffer to take."],
};

export function whyNoImport(draft: ImportDraft): string | null {
  const [field, message] = MISSING[draft.from];
  if (String(draft[field]).trim() === "") return message;
  return hashProblem(draft.sha256) ?? null;
}

export function hashProblem(sha256: string): string | undefined {
  const typed = sha256.trim();
  return typed === "" || /^[0-9a-f]{64}$/i.test(typed)
    ? undefined
    : "A SHA-256 has 64 digits and letters from a to f.";
}

/** "hopper-medium.hdf5" → "hopper-medium"; "mujoco/hopper/medium-v0" → "hopper-medium-v0". */
export function nameFrom(path: string): string {
  const parts = path.trim().replace(/\/+$/, "").split("/");
  const last = parts.at(-1) ?? "";
  return suggestName(last.replace(/\.(hdf5|h5|npz|parquet|csv|zip|tar|gz)$/i, ""));
}
