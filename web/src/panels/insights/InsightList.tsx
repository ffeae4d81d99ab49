/** Insights: the statement, its confidence, the numbers behind it, what to try, and a link to the curve. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Insight, Run } from "@/api/types";
import { confidenceNote } from "@/entities/insights/confidence";
import { evidenceLines } from "@/entities/insights/evidence";
import { runnersQuery } from "@/entities/runners/queries";
import { formSearch } from "@/entities/runs/form-link";
import { formatPercent } from "@/lib/format";
import { cx } from "@/ui/cx";
import { Icon } from "@/ui/icons";
import { Tooltip } from "@/ui/Tooltip";

export function InsightList({ run, insights }: { run: Run; insights: readonly Insight[] }) {
  return (
    <ul className="flex flex-col divide-y">
      {insights.map((insight) => (
        <li key={insight.id} className="py-3 first:pt-0 last:pb-0">
          <InsightCard run={run} insight={insight} />
        </li>
      ))}
    </ul>
  );
}

const TONES = { good: "text-good", info: "text-ink", warning: "text-warn" } as const;
const ICONS = { good: "check", info: "info", warning: "warn" } as const;

function InsightCard({ run, insight }: { run: Run; insight: Insight }) {
  const { level, title, text, hint, window } = insight;
  return (
    <article className="flex flex-col gap-1.5">
      <h4 className={cx("flex items-start gap-2 text-sm font-medium", TONES[level])}>
        <span className="mt-0.5">
          <Icon name={ICONS[level]} size={14} />
        </span>
        <span className="min-w-0 flex-1">{title}</span>
        {insight.confidence != null && <Confidence insight={insight} value={insight.confidence} />}
      </h4>
      <p className="text-sm text-ink-2">{text}</p>
      {hint && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-l-2 border-ink pl-2.5">
          <p className="min-w-40 flex-1 text-sm text-ink">{hint}</p>
          {insight.change && <TryIt run={run} insight={insight} />}
        </div>
      )}
      <div className="flex flex-wrap items-start gap-x-4 text-xs">
        <Evidence insight={insight} />
        {window && (
          <Link
            to="/runs/$runId"
            params={{ runId: run.id }}
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

/** Opens the form with the run's settings and the proposed change. */
function TryIt({ run, insight }: { run: Run; insight: Insight }) {
  const runners = useQuery(runnersQuery);
  const search = formSearch(run, runners.data ?? [], insight.change);
  if (!search) return null;
  return (
    <Link
      to="/"
      search={search}
      className="label inline-flex min-h-6 shrink-0 items-center gap-1 rounded-sm border border-line-strong px-2 text-ink hover:bg-sunken"
    >
      Try it
    </Link>
  );
}

function Confidence({ insight, value }: { insight: Insight; value: number }) {
  return (
    <Tooltip text={confidenceNote(insight)}>
      <button
        type="button"
        className="figures min-h-6 shrink-0 text-2xs font-normal text-ink-3 hover:text-ink"
      >
        {`${formatPercent(value)} sure`}
      </button>
    </Tooltip>
  );
}

function Evidence({ insight }: { insight: Insight }) {
  const lines = evidenceLines(insight.evidence);
  if (lines.length === 0) return null;
  return (
    <details className="min-w-0 flex-1">
      <summary className="min-h-6 leading-6 text-ink-3 hover:text-ink">
        {lines.length === 1 ? "1 number" : `${lines.length} numbers`}
      </summary>
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
