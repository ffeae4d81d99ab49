/** What was typed to name a checkpoint, and what that will do. Pure. */
import { ProblemError } from "@/api/problem";
import type { Model } from "@/api/types";
import { tagsFrom } from "@/entities/checkpoints/tags";
import type { Naming } from "@/entities/models/use-model-actions";

export interface NameDraft {
  name: string;
  labels: string;
  note: string;
}

/** As `ModelName` in core/models/models.py, which has the last word. */
const ALLOWED = /^[A-Za-z0-9][A-Za-z0-9._ -]*$/;
const MOST = 64;

/** What is wrong with a name; null when nothing is, or nothing was typed. */
export function nameProblem(name: string): string | null {
  const typed = name.trim();
  if (typed === "") return null;
  if (typed.length > MOST) return `At most ${MOST} characters.`;
  return ALLOWED.test(typed)
    ? null
    : "Letters, digits, spaces, dots, hyphens and underscores, beginning with a letter or digit.";
}

/** The model that has this name already, in capitals or not: the checkpoint becomes its next version. */
export const existing = (models: readonly Model[], name: string): Model | undefined =>
  models.find((model) => model.name.toLowerCase() === name.trim().toLowerCase());

export const nextVersion = (model: Model | undefined): number =>
  Math.max(0, ...(model?.versions ?? []).map(({ version }) => version)) + 1;

/** "Becomes lander v4. The label production moves from v3." */
export function effectText(models: readonly Model[], draft: NameDraft): string {
  const name = draft.name.trim();
  if (name === "") return "Type a new name, or choose one to add a version to it.";
  const model = existing(models, name);
  const moved = tagsFrom(draft.labels).flatMap((label) => {
    const holder = model?.versions.find(({ labels }) => labels.includes(label));
    return holder ? [`The label ${label} moves from v${holder.version}.`] : [];
  });
  return [`Becomes ${model?.name ?? name} v${nextVersion(model)}.`, ...moved].join(" ");
}

export function namingOf(models: readonly Model[], checkpoint: string, draft: NameDraft): Naming {
  const version = { checkpoint, labels: tagsFrom(draft.labels), note: draft.note.trim() };
  const model = existing(models, draft.name);
  return model
    ? { kind: "version", name: model.name, version }
    : { kind: "new", model: { ...version, name: draft.name.trim() } };
}

/** Messages of the lab by field; a name that is taken has no field of its own. */
export function problemsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ProblemError)) return {};
  const found = Object.entries(error.fieldErrors()).map(
    ([field, { message }]) => [field.split(".")[0]!, message] as const,
  );
  if (found.length === 0 && error.status === 409) return { name: error.message };
  return Object.fromEntries(found);
}
