/** What trying the code has shown: errors and warnings with their lines, how fast it is, its terms. */
import type { CodeCheck } from "@/api/types";
import type { SavedKind } from "@/entities/codes/queries";
import { slowdownText, verdictOf, wasRun } from "@/entities/codes/words";
import { IsolationBadge } from "@/entities/runs/IsolationBadge";
import { formatCount, formatNumber } from "@/lib/format";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { Icon, type IconName } from "@/ui/icons";
import { Panel } from "@/ui/Panel";
import { Loading, ProblemNote } from "@/ui/states";
import { type OnLine, Remarks } from "./Remarks";
import type { CodeChecking } from "./use-code-check";

export interface CheckPanelProps {
  kind: SavedKind;
  checking: CodeChecking;
  /** What it was tried on: "steps of CartPole-v1". */
  triedOn: string;
  onLine: (line: number) => void;
}

export function CheckPanel({ checking, onLine, ...about }: CheckPanelProps) {
  const { check, stale, remarks, error, isEmpty, isChecking, checkNow, approve } = checking;
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
        <Button small onClick={checkNow} disabled={isChecking || isEmpty} title="Ctrl-Enter in the editor">
          Check now
        </Button>
      }
    >
      <div className={cx("flex flex-col gap-4", shown && isChecking && "opacity-60")}>
        {approve && <Consent onApprove={approve} />}
        {error !== null && !approve && <ProblemNote error={error} />}
        {isEmpty && <p className="text-sm text-ink-2">There is no code to check yet.</p>}
        {!shown && !isEmpty && error === null && <Loading lines={3} label="Checking the code" />}
        {shown && error === null && (
          // The lines of an older text would lead to others of this one.
          <Checked {...about} check={shown} onLine={remarks === null ? null : onLine} />
        )}
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
  untried: { icon: "info", text: "Its syntax is right. It was not run.", look: "text-ink" },
  wrong: { icon: "close", text: "It does not work yet.", look: "text-warn" },
};

/** What a second counts. */
const SPEEDS: Record<SavedKind, string> = {
  reward: "calls/s",
  evaluation: "calls/s",
  environment: "steps/s",
};

interface CheckedProps extends Omit<CheckPanelProps, "checking" | "onLine"> {
  check: CodeCheck;
  onLine: OnLine;
}

function Checked({ kind, check, triedOn, onLine }: CheckedProps) {
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
          <Fact name="Speed">{`${formatNumber(check.calls_per_second)} ${SPEEDS[kind]}`}</Fact>
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
        {showsIsolation(check) && isIsolation(check.isolation) && (
          <Fact name="Isolation">
            <IsolationBadge isolation={check.isolation} />
          </Fact>
        )}
      </dl>
    </>
  );
}

/** A text with a syntax error did not run; it counts as confined. */
const showsIsolation = (check: CodeCheck): boolean => wasRun(check) || check.isolation !== "confined";

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
