/** The verifications of a training: the button that starts one, and what each found. */
import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { useCapabilities } from "@/entities/runs/use-capabilities";
import { verificationsQuery } from "@/entities/verifications/queries";
import { useVerify } from "@/entities/verifications/use-verify";
import { whyNotVerified } from "@/entities/verifications/words";
import { ComparisonPanel } from "./ComparisonPanel";
import { VerdictRow } from "./VerdictRow";

export function VerificationPanel({ run }: { run: Run }) {
  const entries = useQuery(verificationsQuery(run.id));
  const verify = useVerify(run.id);
  const isForeign = useCapabilities(run)?.foreign === true;
  return (
    <ComparisonPanel
      title="Verification"
      action="Verify"
      hint="Trains it again in a new process and compares every event"
      reason={whyNotVerified(run, isForeign)}
      isStarting={verify.isPending}
      onStart={() => verify.mutate()}
      entries={entries}
      about="Trains the run again from its configuration and compares episodes, actions, metrics and weights: identical, within tolerance, or the first difference."
      row={(one) => <VerdictRow key={one.run_id} entry={one} label="Verification" />}
    />
  );
}
