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
// Another tab has begun or dropped a draft.
window.addEventListener("storage", () => changeKeys((keys) => keys));

const placeOf = (key: DraftKey) => `code-draft.${key}`;

export const recallDraft = (key: DraftKey): KeptDraft | null => recall<KeptDraft | null>(placeOf(key), null);

export function keepDraft(key: DraftKey, draft: KeptDraft): void {
  remember(placeOf(key), draft);
  changeKeys((keys) => (keys.includes(key) ? keys : [...keys, key]));
}

export function dropDraft(key: DraftKey): void {
  forget(placeOf(key));
  changeKeys((keys) => (keys.includes(key) ? keys.filter((one) => one !== key) : keys));
}

/** Whether something unsaved of any version of this name is kept. */
export const hasDraft = (keys: readonly DraftKey[], kind: string, name: string): boolean =>
  draftsOf(keys, kind, name).length > 0;

const draftsOf = (keys: readonly DraftKey[], kind: string, name: string): DraftKey[] =>
  keys.filter((key) => key.startsWith(`${kind}:${name}@v`));

/** The code has another name now, and so have the drafts of its versions. */
export function moveDrafts(kind: string, name: string, newName: string): void {
  for (const key of draftsOf(keptKeys(), kind, name)) {
    const draft = recallDraft(key);
    dropDraft(key);
    if (draft) keepDraft(key.replace(`${kind}:${name}@v`, () => `${kind}:${newName}@v`) as DraftKey, draft);
  }
}

/** A version was deleted, or with null the whole name. */
export function dropDrafts(kind: string, name: string, version: number | null): void {
  const gone =
    version === null ? draftsOf(keptKeys(), kind, name) : ([draftKey(kind, name, version)] as const);
  for (const key of gone) dropDraft(key);
}

/** As the browser keeps them: another tab may have changed them. */
const keptKeys = () => recall<readonly DraftKey[]>(INDEX, draftKeys.get());

function changeKeys(change: (keys: readonly DraftKey[]) => readonly DraftKey[]): void {
  const kept = keptKeys();
  const next = change(kept);
  if (next !== kept) remember(INDEX, next);
  // A new list is drawn again, and this is called for every key that is typed.
  if (next.join("\n") !== draftKeys.get().join("\n")) draftKeys.set(next);
}
