import type { RunStatus } from "@/api/types";
import { cx } from "@/ui/cx";
import { STATUS_DOTS } from "./status";

/** A dot and a word, because colour alone is not accessible. */
export function StatusBadge({ status }: { status: RunStatus }) {
  const bad = status === "failed" || status === "lost";
  return (
    <span className={cx("label inline-flex items-center gap-2", bad ? "text-warn" : "text-ink-2")}>
      <span aria-hidden="true" className={cx("size-2 shrink-0 rounded-full", STATUS_DOTS[status])} />
      {status}
    </span>
  );
}
