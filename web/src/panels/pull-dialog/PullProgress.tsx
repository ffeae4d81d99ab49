/** How far a pull is, or why it failed. */
import type { Transfer } from "@/api/types";
import { Progress } from "@/ui/Progress";
import { TextWithCode } from "@/ui/states";

export function PullProgress({ pull, isReading }: { pull: Transfer; isReading: boolean }) {
  const isAtWork = pull.ended_at == null || isReading;
  const total = pull.total_bytes;
  const words = isReading ? "Reading the model" : pull.message || `Connecting to the Hub for ${pull.repo}`;
  return (
    <section aria-label="Pull" aria-live="polite" className="flex flex-col gap-2 text-sm">
      <p className={pull.state === "failed" ? "text-warn" : undefined}>{words}</p>
      {isAtWork && (
        <Progress label={words} fraction={!isReading && total > 0 ? pull.done_bytes / total : null} />
      )}
      {pull.next_step && (
        <p className="text-xs text-ink-2">
          <TextWithCode text={pull.next_step} />
        </p>
      )}
    </section>
  );
}
