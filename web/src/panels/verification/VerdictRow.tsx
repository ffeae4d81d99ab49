/** One job that compared trainings: how far it is, or its verdict, its certificate and what to know about it. */
import { Link } from "@tanstack/react-router";
import type { Certification, Verification } from "@/api/types";
import { useRun } from "@/entities/runs/live-runs";
import { isLive } from "@/entities/runs/status";
import { certificateAddress } from "@/entities/verifications/queries";
import { outcomeOf } from "@/entities/verifications/words";
import { formatDate, formatPercent } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Progress } from "@/ui/Progress";

export interface VerdictRowProps {
  entry: Verification | Certification;
  /** Of its progress bar. */
  label: string;
  /** Shown below the verdict, one line each. */
  facts?: readonly string[];
}

export function VerdictRow({ entry, label, facts = [] }: VerdictRowProps) {
  const { word, tone } = outcomeOf(entry);
  const run = useRun(entry.run_id).data;
  const isUnderWay = run ? isLive(run) : entry.result === null && entry.ended_at === null;
  return (
    <li className="flex flex-col gap-1.5 py-2.5 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge tone={tone}>{isUnderWay && run ? run.status : word}</Badge>
        <Link
          to="/runs/$runId"
          params={{ runId: entry.run_id }}
          className="figures inline-flex min-h-6 items-center text-xs text-ink-3 underline-offset-4 hover:underline"
        >
          {formatDate(entry.created_at)}
        </Link>
        {entry.certificate && (
          <a
            href={certificateAddress(entry.certificate)}
            className="ml-auto inline-flex min-h-6 items-center text-xs underline underline-offset-4"
          >
            Certificate
          </a>
        )}
      </div>
      {isUnderWay && run && (
        <div className="flex items-center gap-3">
          <Progress label={label} fraction={run.progress.fraction} />
          <span className="figures shrink-0 text-xs whitespace-nowrap text-ink-3">
            {formatPercent(run.progress.fraction)}
          </span>
        </div>
      )}
      {entry.sentence && <p className="break-words">{entry.sentence}</p>}
      {!entry.result && entry.reason && <p className="text-warn">{entry.reason.message}</p>}
      <Details lines={[...facts, ...detailsOf(entry)]} />
    </li>
  );
}

function detailsOf({ result }: Verification | Certification): string[] {
  const reasons = result?.probable_reasons ?? [];
  return [...reasons.map((reason) => `Probable reason: ${reason}`), ...(result?.notes ?? [])];
}

function Details({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className="list-disc pl-5 text-xs text-ink-2">
      {lines.map((line, i) => (
        <li key={i}>{line}</li>
      ))}
    </ul>
  );
}
