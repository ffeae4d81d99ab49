/** Why a run ended: cause, explanation and next step. */
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { TextWithCode } from "@/ui/states";
import { NOT_SOLVED } from "./status";

export function RunReason({ run }: { run: Run }) {
  const { reason } = run;
  if (!reason || (run.status === "succeeded" && reason.cause !== NOT_SOLVED)) return null;
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
          {reason.cause !== NOT_SOLVED && (
            <span className={cx("label sentence mr-2", isBad ? "text-warn" : "text-ink-2")}>
              {reason.cause.replaceAll(/[_-]/g, " ")}
            </span>
          )}
          <TextWithCode text={reason.message} />
        </p>
        {reason.next_step && <NextStep runId={run.id} text={reason.next_step} />}
      </div>
    </div>
  );
}

/** Where the advice names the log, it leads there. */
function NextStep({ runId, text }: { runId: string; text: string }) {
  const [before, log, after] = partsOf(text);
  return (
    <p className="mt-1 text-ink-2">
      Next: <TextWithCode text={before} />
      {log && (
        <Link to="/runs/$runId" params={{ runId }} search={{ tab: "log" }} className="underline">
          {log}
        </Link>
      )}
      <TextWithCode text={after} />
    </p>
  );
}

/** "…; the log has the full traceback." → what comes before the mention of the log, the mention, the rest. */
export function partsOf(text: string): [string, string, string] {
  const match = /the log\b[^.;,]*/i.exec(text);
  if (!match) return [text, "", ""];
  return [text.slice(0, match.index), match[0], text.slice(match.index + match[0].length)];
}
