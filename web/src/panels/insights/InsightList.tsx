/** Insights: the statement, its confidence, the numbers behind it, what to try, and a link to the curve. */
import { Link } from "@tanstack/react-router";
import type { Insight } from "@/api/types";
import { evidenceLines } from "@/entities/insights/evidence";
import { formatPercent } from "@/lib/format";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";

export function InsightList({ runId, insights }: { runId: string; insights: readonly Insight[] }) {
  return (
    <ul className="flex flex-col divide-y">
      {insights.map((insight) => (
        <li key={insight.id} className="py-3 first:pt-0 last:pb-0">
          <InsightCard runId={runId} insight={insight} />
        </li>
      ))}
    </ul>
  );
}

const TONES = { good: "text-good", info: "text-ink", warning: "text-warn" } as const;
const ICONS = { good: "check", info: "info", warning: "warn" } as const;

function InsightCard({ runId, insight }: { runId: string; insight: Insight }) {
  const { level, title, text, hint, window } = insight;
  return (
    <article className="flex flex-col gap-1.5">
      <h4 className={cx("flex items-start gap-2 text-sm font-medium", TONES[level])}>
        <span className="mt-0.5">
          <Icon name={ICONS[level]} size={14} />
        </span>
        <span className="min-w-0 flex-1">{title}</span>
        <Confidence value={insight.confidence} />
      </h4>
      <p className="text-sm text-ink-2">{text}</p>
      {hint && <p className="border-l-2 border-ink pl-2.5 text-sm text-ink">{hint}</p>}
      <div className="flex flex-wrap items-start gap-x-4 text-xs">
        <Evidence insight={insight} />
        {window && (
          <Link
            to="/runs/$runId"
            params={{ runId }}
            search={{ tab: "charts", find: window.series, from: window.from_step, to: window.to_step }}
            className="ml-auto inline-flex min-h-6 items-center gap-1 text-ink-2 underline underline-offset-4 hover:text-ink"
          >
            {`See ${window.series.replaceAll("_", " ")}`}
          </Link>
        )}
      </div>
    </article>
  );
}

function Confidence({ value }: { value: number }) {
  return (
    <span className="figures shrink-0 pt-0.5 text-2xs font-normal text-ink-3" title="Confidence">
      {`${formatPercent(value)} sure`}
    </span>
  );
}

function Evidence({ insight }: { insight: Insight }) {
  const lines = evidenceLines(insight.evidence);
  if (lines.length === 0) return null;
  return (
    <details className="min-w-0 flex-1">
      <summary className="min-h-6 leading-6 text-ink-3 hover:text-ink">{lines.length} numbers</summary>
      <dl className="figures mt-1 text-2xs">
        {lines.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-3 py-0.5">
            <dt className="text-ink-3">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
