/** How far a push is, or how it ended. */
import type { Transfer } from "@/api/types";
import { hasEnded } from "@/entities/hub/queries";
import { Button } from "@/ui/Button";
import { Progress } from "@/ui/Progress";
import { TextWithCode } from "@/ui/states";

export interface PushProgressProps {
  push: Transfer;
  onCancel: () => void;
}

export function PushProgress({ push, onCancel }: PushProgressProps) {
  const isAtWork = !hasEnded(push);
  const total = push.total_bytes ?? 0;
  return (
    <section
      aria-label="Push"
      aria-live="polite"
      className="flex flex-col gap-2 rounded-md border p-4 text-sm"
    >
      <div className="flex items-center gap-3">
        <p className={push.state === "failed" ? "min-w-0 flex-1 text-warn" : "min-w-0 flex-1"}>
          {wordsOf(push)}
        </p>
        {isAtWork && (
          <Button small onClick={onCancel}>
            Cancel the push
          </Button>
        )}
      </div>
      {isAtWork && (
        <Progress
          label={`Pushing to ${push.repo}`}
          fraction={total > 0 ? (push.done_bytes ?? 0) / total : null}
        />
      )}
      {push.next_step && (
        <p className="text-xs text-ink-2">
          <TextWithCode text={push.next_step} />
        </p>
      )}
      {(push.notes ?? []).map((note) => (
        <p key={note} className="text-xs text-ink-2">
          {note}
        </p>
      ))}
      {push.state === "done" && push.url && (
        <a href={push.url} target="_blank" rel="noreferrer noopener" className="underline underline-offset-4">
          Open it on the Hub
        </a>
      )}
    </section>
  );
}

function wordsOf(push: Transfer): string {
  if (push.state === "done") return `Pushed to ${push.repo}.`;
  if (push.state === "cancelled") return `The push to ${push.repo} was cancelled.`;
  return push.message || `Pushing to ${push.repo}…`;
}
