import type { RunStatus } from "@/api/types";
import { cx } from "@/ui/cx";

const DOT: Record<RunStatus, string> = {
  created: "border border-ink-3",
  queued: "border border-ink-3 bg-line-strong",
  starting: "bg-ink-3",
  running: "bg-good",
  paused: "border border-good",
  stopping: "bg-ink-3",
  succeeded: "bg-ink",
  failed: "bg-warn",
  stopped: "border border-ink",
  lost: "border border-warn",
};

/** A dot and a word: colour is never the only sign. */
export function StatusBadge({ status }: { status: RunStatus }) {
  const bad = status === "failed" || status === "lost";
  return (
    <span className={cx("label inline-flex items-center gap-2", bad ? "text-warn" : "text-ink-2")}>
      <span aria-hidden="true" className={cx("size-2 shrink-0 rounded-full", DOT[status])} />
      {status}
    </span>
  );
}
