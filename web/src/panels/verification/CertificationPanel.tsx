/** The certificates of exact resume of a training: the button that starts one, and what each found. */
import { useQuery } from "@tanstack/react-query";
import type { Certification, Run } from "@/api/types";
import { certificatesQuery } from "@/entities/certificates/queries";
import { useCertify } from "@/entities/certificates/use-certify";
import { breakText, whyNotCertified } from "@/entities/certificates/words";
import { useCapabilities } from "@/entities/runs/use-capabilities";
import { ComparisonPanel } from "./ComparisonPanel";
import { VerdictRow } from "./VerdictRow";

export function CertificationPanel({ run }: { run: Run }) {
  const entries = useQuery(certificatesQuery(run.id));
  const certify = useCertify(run.id);
  const isForeign = useCapabilities(run)?.foreign === true;
  return (
    <ComparisonPanel
      title="Exact resume"
      action="Certify"
      hint="Trains its configuration unbroken, and broken and resumed, in at most 20,000 steps"
      reason={whyNotCertified(run, isForeign)}
      isStarting={certify.isPending}
      onStart={() => certify.mutate()}
      entries={entries}
      about="Trains the configuration unbroken, and broken (by a stop, by SIGKILL, from any checkpoint) and resumed, and compares every weight, episode and metric: identical, or the first difference."
      row={(one) => <CertificationRow key={one.run_id} certification={one} />}
    />
  );
}

export function CertificationRow({ certification }: { certification: Certification }) {
  const facts = (certification.result?.breaks ?? []).map(breakText);
  return <VerdictRow entry={certification} label="Certification" facts={facts} />;
}
