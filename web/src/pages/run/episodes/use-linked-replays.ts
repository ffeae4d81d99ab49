/** An episode and the fork next to it, moved by the same keys. */
import { useCallback, useMemo, useState } from "react";
import type { Replay } from "@/panels/replay/use-replay";

export interface Linked {
  all: readonly Replay[];
  /** The step at which the fork leaves the episode. */
  otherMark: number | null;
  setOther: (other: Replay | null, mark: number | null) => void;
}

export function useLinkedReplays(first: Replay): Linked {
  const [other, keepOther] = useState<{ replay: Replay; mark: number | null } | null>(null);
  const setOther = useCallback(
    (replay: Replay | null, mark: number | null) => keepOther(replay && { replay, mark }),
    [],
  );
  return useMemo(
    () => ({ all: other ? [first, other.replay] : [first], otherMark: other?.mark ?? null, setOther }),
    [first, other, setOther],
  );
}
