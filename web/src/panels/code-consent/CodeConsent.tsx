/** Before code runs that this machine cannot confine: what it is, what it could do, and the button that approves it. */
import { useQuery } from "@tanstack/react-query";
import type { Code, CodeVersion } from "@/api/types";
import { codesQuery } from "@/entities/codes/queries";
import { spellCode } from "@/entities/codes/words";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { LoadFailed, Loading } from "@/ui/states";
import { codeConsent, type WaitingCode } from "./dialog";

const close = () => codeConsent.set(null);

export default function CodeConsent() {
  const waiting = useStore(codeConsent);
  return (
    <Dialog open={waiting !== null} onOpenChange={close} title="Not isolated" wide>
      {waiting && <Asked {...waiting} />}
    </Dialog>
  );
}

function Asked({ sha256, reason, onApprove }: WaitingCode) {
  const rewards = useQuery(codesQuery("reward"));
  const environments = useQuery(codesQuery("environment"));
  const found = versionWith(sha256, [...(rewards.data ?? []), ...(environments.data ?? [])]);
  const failed = [rewards, environments].find((query) => query.isError);
  const isPending = rewards.isPending || environments.isPending;
  const approve = () => {
    close();
    onApprove(sha256);
  };
  return (
    <div className="flex flex-col gap-4 p-5 text-sm">
      <p>{`${reason} Read the code before you approve it.`}</p>
      {found ? <Source version={found} /> : isPending && <Loading lines={6} />}
      {!found && failed && (
        <LoadFailed what="saved code" error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {!found && !failed && !isPending && (
        <p className="text-warn">
          This version is no longer saved, so it cannot be shown here. Choose another one, or save it again.
        </p>
      )}
      <div className="flex justify-end gap-3">
        <Button onClick={close}>Cancel</Button>
        <Button kind="primary" icon="play" disabled={!found} onClick={approve}>
          Approve and train
        </Button>
      </div>
    </div>
  );
}

function Source({ version }: { version: CodeVersion }) {
  return (
    <section aria-label={`Code of ${spellCode(version)}`}>
      <h3 className="mb-1 font-semibold">{spellCode(version)}</h3>
      <pre
        tabIndex={0}
        className="max-h-80 overflow-auto rounded-sm border bg-sunken p-3 font-mono text-xs leading-5"
      >
        {version.source}
      </pre>
    </section>
  );
}

const versionWith = (sha256: string, codes: readonly Code[]): CodeVersion | undefined =>
  codes.flatMap(({ versions }) => versions).find((one) => one.sha256 === sha256);
