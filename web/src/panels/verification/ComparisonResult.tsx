/** The page of a verification or a certification itself: its row, as its training shows it. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Run } from "@/api/types";
import { certificatesQuery } from "@/entities/certificates/queries";
import { verificationsQuery } from "@/entities/verifications/queries";
import { Panel } from "@/ui/Panel";
import { CertificationRow } from "./CertificationPanel";
import { VerdictRow } from "./VerdictRow";

export function VerificationResult({ run }: { run: Run }) {
  const parent = run.parent_id ?? "";
  const all = useQuery({ ...verificationsQuery(parent), enabled: parent !== "" }).data;
  const own = all?.find((one) => one.run_id === run.id);
  return (
    <ResultPanel title="Verification" parent={parent} link="The verified run">
      {own && <VerdictRow entry={own} label="Verification" />}
    </ResultPanel>
  );
}

export function CertificationResult({ run }: { run: Run }) {
  const parent = run.parent_id ?? "";
  const all = useQuery({ ...certificatesQuery(parent), enabled: parent !== "" }).data;
  const own = all?.find((one) => one.run_id === run.id);
  return (
    <ResultPanel title="Certification" parent={parent} link="The certified run">
      {own && <CertificationRow certification={own} />}
    </ResultPanel>
  );
}

interface ResultPanelProps {
  title: string;
  parent: string;
  link: string;
  children: ReactNode;
}

function ResultPanel({ title, parent, link, children }: ResultPanelProps) {
  return (
    <Panel
      title={title}
      actions={
        parent && (
          <Link
            to="/runs/$runId"
            params={{ runId: parent }}
            className="inline-flex min-h-6 items-center text-xs underline underline-offset-4"
          >
            {link}
          </Link>
        )
      }
    >
      <ul>{children}</ul>
    </Panel>
  );
}
