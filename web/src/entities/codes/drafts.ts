/** Code that was typed and not saved. This browser keeps it, so that leaving the page loses nothing. */
import { forget, recall, remember } from "@/lib/remembered";
import { createStore } from "@/lib/store";

export interface KeptDraft {
  source: string;
  /** The environment that it is written for; empty: any. */
  env_id: string;
}

/** What it began with: a version of a name, or nothing that is saved. */
export type DraftKey = `${string}:${string}`;
export const NEW_DRAFT = "new";

export const draftKey = (kind: string, name: string | null, version: number | null): DraftKey =>
  `${kind}:${name === null ? NEW_DRAFT : `${name}@v${version}`}`;

/** Which drafts there are; a list of the page follows it. */
const INDEX = "code-drafts";
export const draftKeys = createStore<readonly DraftKey[]>(recall<DraftKey[]>(INDEX, []));

const placeOf = (key: DraftKey) => `code-draft.${key}`;

export const recallDraft = (key: DraftKey): KeptDraft | null => recall<KeptDraft | null>(placeOf(key), null);

export function keepDraft(key: DraftKey, draft: KeptDraft): void {
  remember(placeOf(key), draft);
  if (!draftKeys.get().includes(key)) setKeys([...draftKeys.get(), key]);
}

export function dropDraft(key: DraftKey): void {
  forget(placeOf(key));
  if (draftKeys.get().includes(key)) setKeys(draftKeys.get().filter((one) => one !== key));
}

/** Whether something unsaved of any version of this name is kept. */
export const hasDraft = (keys: readonly DraftKey[], kind: string, name: string): boolean =>
  keys.some((key) => key.startsWith(`${kind}:${name}@v`));

function setKeys(keys: readonly DraftKey[]): void {
  draftKeys.set(keys);
  remember(INDEX, keys);
}
