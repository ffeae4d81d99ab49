/** That the text in the editor is not saved, and how to drop it. */
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import type { CodeDraft } from "./use-code-draft";

export function UnsavedNote({ draft, isSaved }: { draft: CodeDraft; isSaved: boolean }) {
  if (!draft.isChanged) return null;
  return (
    <span className="flex items-center gap-2">
      <Badge tone="warn">{isSaved ? "unsaved changes" : "not saved"}</Badge>
      {draft.isRecalled && <span className="text-xs text-ink-3">kept in this browser</span>}
      <Button small kind="quiet" onClick={draft.discard}>
        Discard
      </Button>
    </span>
  );
}
