/** The verifications of a training: the button that starts one, and what each found. */
import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { useCapabilities } from "@/entities/runs/use-capabilities";
import { verificationsQuery } from "@/entities/verifications/queries";
import { useVerify } from "@/entities/verifications/use-verify";
import { whyNotVerified } from "@/entities/verifications/words";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";
import { VerificationRow } from "./VerificationRow";

export function VerificationPanel({ run }: { run: Run }) {
  const found = useQuery(verificationsQuery(run.id));
  const verify = useVerify(run.id);
  const isForeign = useCapabilities(run)?.foreign === true;
  return (
    <Panel
      title="Verification"
      actions={
        <Button
          small
          icon="check"
          title="Trains it again in a new process and compares every event"
          reason={whyNotVerified(run, isForeign)}
          disabled={verify.isPending}
          onClick={() => verify.mutate()}
        >
          Verify
        </Button>
      }
    >
      {found.isPending && <Loading lines={2} />}
      {found.isError && <ErrorState error={found.error} />}
      {found.data?.length === 0 && (
        <p className="text-sm text-ink-2">
          Trains the run again from its configuration and compares episodes, actions, metrics and weights:
          identical, within tolerance, or the first difference.
        </p>
      )}
      {found.data && found.data.length > 0 && (
        <ul className="flex flex-col divide-y">
          {found.data.map((one) => (
            <VerificationRow key={one.run_id} verification={one} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
