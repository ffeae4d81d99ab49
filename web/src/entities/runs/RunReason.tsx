/** Why a run ended: cause, explanation and next step. */
import type { Run } from "@/api/types";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";

export function RunReason({ run }: { run: Run }) {
  const { reason } = run;
  if (!reason || run.status === "succeeded") return null;
  const isBad = run.status === "failed" || run.status === "lost";
  return (
    <div
      className={cx(
        "flex items-start gap-3 rounded-md border px-4 py-3 text-sm",
        isBad ? "border-warn bg-warn-soft" : "bg-surface",
      )}
    >
      <span className={cx("pt-0.5", isBad ? "text-warn" : "text-ink-3")}>
        <Icon name={isBad ? "warn" : "info"} />
      </span>
      <div className="min-w-0">
        <p className="break-words">
          <span className={cx("label sentence mr-2", isBad ? "text-warn" : "text-ink-2")}>
            {reason.cause.replaceAll("_", " ")}
          </span>
          {reason.message}
        </p>
        {reason.next_step && <p className="mt-1 text-ink-2">Next: {reason.next_step}</p>}
      </div>
    </div>
  );
}
