/** Shows that a form holds something unsaved, and goes back to what it began with. */
import { Button } from "@/ui/Button";
import type { KeptDraft } from "./use-kept-draft";

export function DraftNote({ isChanged, drop }: Pick<KeptDraft<unknown>, "isChanged" | "drop">) {
  if (!isChanged) return null;
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-ink-3">
      Not saved. This browser keeps it.
      <Button small kind="quiet" onClick={drop}>
        Discard
      </Button>
    </p>
  );
}
