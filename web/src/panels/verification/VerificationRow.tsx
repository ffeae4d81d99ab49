/** One verification: how far it is, or its verdict with the first difference and probable reasons. */
import { Link } from "@tanstack/react-router";
import type { Verification } from "@/api/types";
import { useRun } from "@/entities/runs/live-runs";
import { isLive } from "@/entities/runs/status";
import { certificateAddress } from "@/entities/verifications/queries";
import { outcomeOf } from "@/entities/verifications/words";
import { formatDate, formatPercent } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Progress } from "@/ui/Progress";

export function VerificationRow({ verification }: { verification: Verification }) {
  const { word, tone } = outcomeOf(verification);
  const run = useRun(verification.run_id).data;
  const isUnderWay = run ? isLive(run) : verification.result === null && verification.ended_at === null;
  return (
    <li className="flex flex-col gap-1.5 py-2.5 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{isUnderWay && run ? run.status : word}</Badge>
        <Link
          to="/runs/$runId"
          params={{ runId: verification.run_id }}
          className="figures inline-flex min-h-6 items-center text-xs text-ink-3 underline-offset-4 hover:underline"
        >
          {formatDate(verification.created_at)}
        </Link>
        {verification.certificate && (
          <a
            href={certificateAddress(verification.certificate)}
            className="ml-auto inline-flex min-h-6 items-center text-xs underline underline-offset-4"
          >
            Certificate
          </a>
        )}
      </div>
      {isUnderWay && run && (
        <div className="flex items-center gap-3">
          <Progress label="Verification" fraction={run.progress.fraction} />
          <span className="figures text-xs text-ink-3">{formatPercent(run.progress.fraction)}</span>
        </div>
      )}
      {verification.sentence && <p className="break-words">{verification.sentence}</p>}
      {!verification.result && verification.reason && (
        <p className="text-warn">{verification.reason.message}</p>
      )}
      <Details verification={verification} />
    </li>
  );
}

function Details({ verification: { result } }: { verification: Verification }) {
  const reasons = result?.probable_reasons ?? [];
  const notes = result?.notes ?? [];
  if (reasons.length + notes.length === 0) return null;
  return (
    <ul className="list-disc pl-5 text-xs text-ink-2">
      {reasons.map((reason) => (
        <li key={reason}>{`Probable reason: ${reason}`}</li>
      ))}
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}
