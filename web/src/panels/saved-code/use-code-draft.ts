/** The text in the editor: what was saved, or what was typed since. */
import { useEffect, useRef, useState } from "react";
import { type DraftKey, dropDraft, type KeptDraft, keepDraft, recallDraft } from "@/entities/codes/drafts";

export interface CodeDraft {
  source: string;
  envId: string;
  /** Something differs from what was saved. New code always does. */
  isChanged: boolean;
  /** It was typed earlier and has been recalled. */
  isRecalled: boolean;
  setSource: (source: string) => void;
  setEnvId: (envId: string) => void;
  /** Back to what was saved. */
  discard: () => void;
  /** It was saved, as the version with this key. */
  settle: (savedAs: DraftKey) => void;
}

const NOTHING: KeptDraft = { source: "", env_id: "" };

interface Opened {
  key: DraftKey;
  recalled: KeptDraft | null;
  /** Null: as it was saved. */
  typed: KeptDraft | null;
}

function open(key: DraftKey): Opened {
  const recalled = recallDraft(key);
  return { key, recalled, typed: recalled };
}

/** `saved` is what the text began with; null for new code, which is kept until it is saved or discarded. */
export function useCodeDraft(key: DraftKey, saved: KeptDraft | null): CodeDraft {
  const [before, setOpened] = useState(() => open(key));
  const isOther = before.key !== key;
  const opened = isOther ? open(key) : before;
  if (isOther) setOpened(opened);
  const dropWhenLeft = useDropWhenLeft(key);
  const { typed, recalled } = opened;
  const shown = typed ?? saved ?? NOTHING;

  const discard = () => {
    setOpened((now) => (now.key === key ? { ...now, typed: null } : now));
    dropDraft(key);
  };
  const change = (next: KeptDraft) => {
    if (saved && isSame(next, saved)) return discard();
    setOpened({ ...opened, typed: next });
    keepDraft(key, next);
  };
  const settle = (savedAs: DraftKey) => {
    if (savedAs === key) discard();
    // Without a draft the examples would be shown until the saved version is opened.
    else if (saved === null) dropWhenLeft();
    else dropDraft(key);
  };
  return {
    source: shown.source,
    envId: shown.env_id,
    isChanged: saved === null || !isSame(shown, saved),
    isRecalled: typed !== null && typed === recalled,
    setSource: (source) => change({ ...shown, source }),
    setEnvId: (env_id) => change({ ...shown, env_id }),
    discard,
    settle,
  };
}

const isSame = (one: KeptDraft, other: KeptDraft): boolean =>
  one.source === other.source && one.env_id === other.env_id;

/** Drops the draft as soon as another text is shown. */
function useDropWhenLeft(key: DraftKey): () => void {
  const isDone = useRef(false);
  useEffect(
    () => () => {
      if (isDone.current) dropDraft(key);
      isDone.current = false;
    },
    [key],
  );
  return () => {
    isDone.current = true;
  };
}
