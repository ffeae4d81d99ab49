import type { RunStatus } from "@/api/types";
import { cx } from "@/ui/cx";
import { STATUS_DOTS } from "./status";

const WORDS: Partial<Record<RunStatus, string>> = {
  running: "text-live",
  succeeded: "text-good",
  failed: "text-warn",
  lost: "text-warn",
};

/** A dot and a word, because colour alone is not accessible. */
export function StatusBadge({ status }: { status: RunStatus }) {
  return (
    <span className={cx("label inline-flex items-center gap-2", WORDS[status] ?? "text-ink-2")}>
      <span aria-hidden="true" className={cx("size-2 shrink-0 rounded-full", STATUS_DOTS[status])} />
      <span className="sentence">{status}</span>
    </span>
  );
}
