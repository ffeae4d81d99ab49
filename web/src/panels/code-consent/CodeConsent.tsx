/** Before code runs that this machine cannot confine: what it is, what it could do, and the button that approves it. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Code, CodeVersion } from "@/api/types";
import { codesQuery } from "@/entities/codes/queries";
import { spellCode } from "@/entities/codes/words";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { LoadFailed, Loading } from "@/ui/states";
import { codeConsent, type ShownCode, type WaitingCode } from "./dialog";

const close = () => codeConsent.set(null);

export default function CodeConsent() {
  const waiting = useStore(codeConsent);
  return (
    <Dialog open={waiting !== null} onOpenChange={close} title="Not isolated" wide>
      {waiting && <Asked {...waiting} />}
    </Dialog>
  );
}

function Asked(waiting: WaitingCode) {
  return waiting.code ? <Question {...waiting} shown={waiting.code} /> : <AskedForSaved {...waiting} />;
}

/** Finds the saved version that is meant. */
function AskedForSaved(waiting: WaitingCode) {
  const rewards = useQuery(codesQuery("reward"));
  const environments = useQuery(codesQuery("environment"));
  const found = versionWith(waiting.sha256, [...(rewards.data ?? []), ...(environments.data ?? [])]);
  const failed = [rewards, environments].find((query) => query.isError);
  if (found) return <Question {...waiting} shown={{ title: spellCode(found), source: found.source }} />;
  return (
    <Question {...waiting}>
      {failed ? (
        <LoadFailed what="saved code" error={failed.error} onRetry={() => void failed.refetch()} />
      ) : rewards.isPending || environments.isPending ? (
        <Loading lines={6} />
      ) : (
        <p className="text-warn">
          This version is no longer saved, so it cannot be shown here. Choose another one, or save it again.
        </p>
      )}
    </Question>
  );
}

interface QuestionProps extends WaitingCode {
  /** Code that is not shown cannot be approved. */
  shown?: ShownCode;
  /** Why it is not shown. */
  children?: ReactNode;
}

function Question({ sha256, reason, action, onApprove, shown, children }: QuestionProps) {
  const approve = () => {
    close();
    onApprove(sha256);
  };
  return (
    <div className="flex flex-col gap-4 p-5 text-sm">
      <p>{`${reason} Read the code before you approve it.`}</p>
      {shown ? <Source {...shown} /> : children}
      <div className="flex justify-end gap-3">
        <Button onClick={close}>Cancel</Button>
        <Button kind="primary" icon="play" disabled={!shown} onClick={approve}>
          {`Approve and ${action}`}
        </Button>
      </div>
    </div>
  );
}

function Source({ title, source }: ShownCode) {
  return (
    <section aria-label={`Code of ${title}`}>
      <h3 className="mb-1 font-semibold">{title}</h3>
      <pre
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-sm border bg-sunken p-3 font-mono text-xs leading-5"
      >
        {source}
      </pre>
    </section>
  );
}

const versionWith = (sha256: string, codes: readonly Code[]): CodeVersion | undefined =>
  codes.flatMap(({ versions }) => versions).find((one) => one.sha256 === sha256);
