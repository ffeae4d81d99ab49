/** What the check says about the code, line by line. */
import type { CodeRemark } from "@/api/types";
import { cx } from "@/ui/cx";

const LOOKS: Record<CodeRemark["level"], string> = {
  error: "border-l-warn bg-warn-soft",
  warning: "border-l-live bg-live-soft",
  info: "border-l-line-strong bg-sunken",
};

/** Null: the lines are those of an older text. */
export type OnLine = ((line: number) => void) | null;

export function Remarks({ remarks, onLine }: { remarks: readonly CodeRemark[]; onLine: OnLine }) {
  return (
    <ul aria-label="Remarks" className="flex flex-col gap-2">
      {remarks.map(({ line, level, message }, i) => (
        <li key={i} className={cx("rounded-sm border-l-3 px-3 py-2 text-sm break-words", LOOKS[level])}>
          {line !== null && !onLine && <span className="figures mr-2 text-xs">{`line ${line}`}</span>}
          {line !== null && onLine && (
            <button
              type="button"
              onClick={() => onLine(line)}
              className="figures mr-2 text-xs underline underline-offset-4 hover:no-underline"
            >
              {`line ${line}`}
            </button>
          )}
          {level === "error" && <span className="sr-only">Error: </span>}
          {message}
        </li>
      ))}
    </ul>
  );
}
