/** Whether the files are what was written, and whether the steps happen again when they are simulated. */
import type { DatasetVersion } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { integrityOf, type Verdict, verificationOf } from "./words";

export function IntegrityBadge({ version }: { version: DatasetVersion }) {
  return <VerdictBadge {...integrityOf(version)} />;
}

export function VerifiedBadge({ version }: { version: DatasetVersion }) {
  return <VerdictBadge {...verificationOf(version)} />;
}

function VerdictBadge({ word, tone, meaning }: Verdict) {
  return (
    <Badge tone={tone} title={meaning}>
      {word}
    </Badge>
  );
}
