/** Before code runs that this machine cannot confine: what it is, what it could do, and the button that approves it. */
import { useQuery } from "@tanstack/react-query";
import { codeQuery } from "@/entities/codes/queries";
import { spellCode, versionOfCode } from "@/entities/codes/words";
import { useStart } from "@/entities/runs/use-start";
import { useStore } from "@/lib/store";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { ErrorState, Loading, ProblemNote } from "@/ui/states";
import { rewardConsent, type WaitingTraining } from "./dialog";

const close = () => rewardConsent.set(null);

export default function RewardConsent() {
  const waiting = useStore(rewardConsent);
  return (
    <Dialog open={waiting !== null} onOpenChange={close} title="Not isolated" wide>
      {waiting?.wanted.reward && <Asked {...waiting} />}
    </Dialog>
  );
}

function Asked({ wanted, onStarted }: WaitingTraining) {
  const { name, version } = wanted.reward!;
  const code = useQuery(codeQuery("reward", name));
  const start = useStart((run) => {
    close();
    onStarted(run);
  });
  const found = code.data && versionOfCode(code.data, version);
  return (
    <div className="flex flex-col gap-4 p-5 text-sm">
      <p>
        This machine cannot confine the reward {spellCode({ name, version })}: it could read and change
        everything that you can. Read the code before you approve it.
      </p>
      {code.isPending && <Loading lines={6} />}
      {code.isError && <ErrorState error={code.error} onRetry={() => void code.refetch()} />}
      {found && (
        <pre
          tabIndex={0}
          className="max-h-80 overflow-auto rounded-sm border bg-sunken p-3 font-mono text-xs leading-5"
        >
          {found.source}
        </pre>
      )}
      <ProblemNote error={start.error} />
      <div className="flex justify-end gap-3">
        <Button onClick={close}>Cancel</Button>
        <Button
          kind="primary"
          icon="play"
          disabled={!found || start.isPending}
          onClick={() => found && start.mutate({ ...wanted, consent: found.sha256 })}
        >
          Approve and train
        </Button>
      </div>
    </div>
  );
}
