/** The page of a verification itself: its row, as its training shows it. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { verificationsQuery } from "@/entities/verifications/queries";
import { Panel } from "@/ui/Panel";
import { VerificationRow } from "./VerificationRow";

export function VerificationResult({ run }: { run: Run }) {
  const parent = run.parent_id ?? "";
  const all = useQuery({ ...verificationsQuery(parent), enabled: parent !== "" }).data;
  const own = all?.find((one) => one.run_id === run.id);
  return (
    <Panel
      title="Verification"
      actions={
        parent && (
          <Link
            to="/runs/$runId"
            params={{ runId: parent }}
            className="inline-flex min-h-6 items-center text-xs underline underline-offset-4"
          >
            The verified run
          </Link>
        )
      }
    >
      <ul>{own && <VerificationRow verification={own} />}</ul>
    </Panel>
  );
}
