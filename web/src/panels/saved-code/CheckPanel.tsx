/** What trying the code has shown: errors and warnings with their lines, how fast it is, its terms. */
import type { CodeCheck, CodeRemark } from "@/api/types";
import { slowdownText, verdictOf } from "@/entities/codes/words";
import { IsolationBadge } from "@/entities/runs/IsolationBadge";
import { isConsentNeeded } from "@/entities/scripts/queries";
import { formatCount, formatNumber } from "@/lib/format";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Icon, type IconName } from "@/ui/icons";
import { Panel } from "@/ui/Panel";
import { Loading, ProblemNote } from "@/ui/states";
import type { CodeChecking } from "./use-code-check";

export interface CheckPanelProps {
  checking: CodeChecking;
  /** What it was tried on: "steps of CartPole-v1". */
  triedOn: string;
  onLine: (line: number) => void;
}

export function CheckPanel({ checking, triedOn, onLine }: CheckPanelProps) {
  const { check, stale, error, isChecking, checkNow, approve } = checking;
  const shown = check ?? stale;
  return (
    <Panel
      title="Check"
      aside={
        <span role="status" className="text-xs text-ink-3">
          {isChecking ? "checking…" : ""}
        </span>
      }
      actions={
        <Button small onClick={checkNow} disabled={isChecking} title="Ctrl-Enter in the editor">
          Check now
        </Button>
      }
    >
      <div className={cx("flex flex-col gap-4", shown && isChecking && "opacity-60")}>
        {isConsentNeeded(error) && <Consent onApprove={approve} />}
        {error !== null && !isConsentNeeded(error) && <ProblemNote error={error} />}
        {!shown && error === null && <Loading lines={3} label="Checking the code" />}
        {shown && error === null && <Checked check={shown} triedOn={triedOn} onLine={onLine} />}
      </div>
    </Panel>
  );
}

/** Where the system cannot confine it, code runs only after the user has approved this text. */
function Consent({ onApprove }: { onApprove: () => void }) {
  return (
    <div role="alert" className="flex flex-col gap-3 rounded-sm border border-warn bg-warn-soft p-3 text-sm">
      <p>
        <span className="font-semibold text-warn">Not isolated. </span>
        This machine cannot confine the code: while it is tried, it could read and change everything that you
        can. Only its syntax was checked.
      </p>
      <Button small className="self-start" onClick={onApprove}>
        Run this text anyway
      </Button>
    </div>
  );
}

const VERDICTS: Record<ReturnType<typeof verdictOf>, { icon: IconName; text: string; look: string }> = {
  good: { icon: "check", text: "It works.", look: "text-good" },
  warned: { icon: "warn", text: "It works, with warnings.", look: "text-ink" },
  wrong: { icon: "close", text: "It does not work yet.", look: "text-warn" },
};

function Checked({ check, triedOn, onLine }: { check: CodeCheck } & Omit<CheckPanelProps, "checking">) {
  const verdict = VERDICTS[verdictOf(check)];
  const cost = slowdownText(check.slowdown);
  return (
    <>
      <p className={cx("flex items-center gap-2 text-sm font-semibold", verdict.look)}>
        <Icon name={verdict.icon} size={14} />
        {verdict.text}
      </p>
      {check.remarks.length > 0 && <Remarks remarks={check.remarks} onLine={onLine} />}
      {check.is_usable && cost && <p className="text-sm">{cost}</p>}
      <dl className="flex flex-col text-sm">
        {check.calls > 0 && <Fact name="Tried on">{`${formatCount(check.calls)} ${triedOn}`}</Fact>}
        {check.calls_per_second !== null && (
          <Fact name="Speed">{`${formatNumber(check.calls_per_second)} calls/s`}</Fact>
        )}
        {check.takes.length > 0 && <Fact name="Uses">{check.takes.join(", ")}</Fact>}
        {check.terms.length > 0 && (
          <Fact name="Terms">
            <span className="flex flex-wrap justify-end gap-1">
              {check.terms.map((term) => (
                <span key={term} className="rounded-sm border px-1.5 text-left text-2xs leading-4 break-all">
                  {term}
                </span>
              ))}
            </span>
          </Fact>
        )}
        {check.calls > 0 && isIsolation(check.isolation) && (
          <Fact name="Isolation">
            <IsolationBadge isolation={check.isolation} />
          </Fact>
        )}
      </dl>
    </>
  );
}

const isIsolation = (word: string): word is "confined" | "partly" | "none" =>
  ["confined", "partly", "none"].includes(word);

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex justify-between gap-4 border-b py-1.5 last:border-0">
      <dt className="shrink-0 text-ink-2">{name}</dt>
      <dd className="figures min-w-0 text-right text-xs leading-5 break-words">{children}</dd>
    </div>
  );
}

const LOOKS: Record<CodeRemark["level"], string> = {
  error: "border-l-warn bg-warn-soft",
  warning: "border-l-live bg-live-soft",
  info: "border-l-line-strong bg-sunken",
};

function Remarks({ remarks, onLine }: { remarks: readonly CodeRemark[]; onLine: (line: number) => void }) {
  return (
    <ul aria-label="Remarks" className="flex flex-col gap-2">
      {remarks.map(({ line, level, message }, i) => (
        <li key={i} className={cx("rounded-sm border-l-3 px-3 py-2 text-sm break-words", LOOKS[level])}>
          {line !== null && (
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
