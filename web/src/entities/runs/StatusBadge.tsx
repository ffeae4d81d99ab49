import type { RunStatus } from "@/api/types";
import { cx } from "@/ui/cx";
import { STATUS_DOTS, statusWord } from "./status";

const WORDS: Partial<Record<RunStatus, string>> = {
  running: "text-live",
  succeeded: "text-good",
  failed: "text-warn",
  lost: "text-warn",
};

/** A dot and a word, because colour alone is not accessible. */
export function StatusBadge({ status, cause }: { status: RunStatus; cause?: string }) {
  const word = statusWord(status, cause);
  const isPlain = word === status;
  return (
    <span
      className={cx(
        "label inline-flex items-center gap-2",
        (isPlain ? WORDS[status] : undefined) ?? "text-ink-2",
      )}
    >
      <span
        aria-hidden="true"
        className={cx("size-2 shrink-0 rounded-full", isPlain ? STATUS_DOTS[status] : "border border-ink")}
      />
      <span className="sentence">{word}</span>
    </span>
  );
}
