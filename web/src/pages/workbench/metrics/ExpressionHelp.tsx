/** What an expression may contain: the metrics of the run, and functions. A click inserts one. */
import { useQuery } from "@tanstack/react-query";
import { expressionFunctionsQuery } from "@/entities/derived-metrics/queries";
import { quotedName } from "@/entities/derived-metrics/words";
import { metricsQuery } from "@/entities/metrics/queries";
import { metricNames } from "@/entities/metrics/series";
import { Panel } from "@/ui/Panel";

const FEW_POINTS = 3;

export interface ExpressionHelpProps {
  runId: string | null;
  onInsert: (text: string) => void;
}

export function ExpressionHelp({ runId, onInsert }: ExpressionHelpProps) {
  const metrics = useQuery({ ...metricsQuery(runId ?? "", { points: FEW_POINTS }), enabled: runId !== null });
  const functions = useQuery(expressionFunctionsQuery).data ?? [];
  return (
    <Panel title="What it may contain">
      <div className="flex flex-col gap-4 text-sm">
        <section aria-label="Metrics of the run" className="flex flex-wrap gap-1.5">
          {(metrics.data ? metricNames(metrics.data) : []).map((name) => (
            <button
              key={name}
              type="button"
              onClick={() => onInsert(quotedName(name))}
              className="rounded-sm border border-line-strong px-1.5 py-0.5 font-mono text-xs hover:bg-sunken"
            >
              {quotedName(name)}
            </button>
          ))}
        </section>
        <p className="text-xs text-ink-2">
          Numbers, + − * / % ** and parentheses. return is the episode reward. The metric that is named first
          decides where the points are; others add their last known value.
        </p>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 text-xs">
          {functions.map(({ name, signature, meaning }) => (
            <div key={name} className="contents">
              <dt className="font-mono">{signature}</dt>
              <dd className="text-ink-2">{meaning}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  );
}
