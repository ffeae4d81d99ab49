/** What was typed into a form and not saved. This browser keeps it, so that leaving the page loses nothing. */
import { useState } from "react";
import { forget, recall, remember } from "@/lib/remembered";
import { isSame } from "@/schema-form/values";

export interface KeptDraft<T> {
  draft: T;
  setDraft: (next: T) => void;
  /** Whether something was typed that is not saved. */
  isChanged: boolean;
  /** Goes back to what the form began with: after saving, or when the user discards it. */
  drop: () => void;
}

interface Kept<T> {
  first: T;
  draft: T;
}

/** `first`: what the form begins with. A draft that began with something else is not recalled. */
export function useKeptDraft<T>(key: string, first: T): KeptDraft<T> {
  const place = `form-draft.${key}`;
  const [typed, setTyped] = useState<T | null>(() => {
    const kept = recall<Kept<T> | null>(place, null);
    return kept && isSame(kept.first, first) ? kept.draft : null;
  });
  return {
    draft: typed ?? first,
    isChanged: typed !== null,
    setDraft(next) {
      if (isSame(next, first)) return drop();
      setTyped(next);
      remember<Kept<T>>(place, { first, draft: next });
    },
    drop,
  };

  function drop() {
    setTyped(null);
    forget(place);
  }
}
