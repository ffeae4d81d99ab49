/** The text in the editor: what was saved, or what was typed since. */
import { useCallback, useState } from "react";
import { type DraftKey, dropDraft, type KeptDraft, keepDraft, recallDraft } from "@/entities/codes/drafts";

export interface CodeDraft {
  source: string;
  envId: string;
  /** Something differs from what was saved. */
  isChanged: boolean;
  /** It was typed earlier and has been recalled. */
  isRecalled: boolean;
  setSource: (source: string) => void;
  setEnvId: (envId: string) => void;
  /** Back to what was saved. */
  discard: () => void;
}

/** `saved` is what the text began with; give the component a `key` made from `draftKey`, so that another one starts anew. */
export function useCodeDraft(draftKey: DraftKey, saved: KeptDraft): CodeDraft {
  const [recalled] = useState(() => recallDraft(draftKey));
  const [draft, setDraft] = useState<KeptDraft>(recalled ?? saved);
  const isSame = (one: KeptDraft) => one.source === saved.source && one.env_id === saved.env_id;
  const change = (next: KeptDraft) => {
    setDraft(next);
    if (isSame(next)) dropDraft(draftKey);
    else keepDraft(draftKey, next);
  };
  return {
    source: draft.source,
    envId: draft.env_id,
    isChanged: !isSame(draft),
    isRecalled: recalled !== null && draft === recalled,
    setSource: (source) => change({ ...draft, source }),
    setEnvId: (env_id) => change({ ...draft, env_id }),
    discard: useCallback(() => {
      setDraft(saved);
      dropDraft(draftKey);
    }, [saved, draftKey]),
  };
}
