/** All derived metrics, by name. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { derivedMetricsQuery } from "@/entities/derived-metrics/queries";
import { formatDate } from "@/lib/format";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { Button } from "@/ui/Button";
import { ErrorState, Loading } from "@/ui/states";

export function MetricsList({ onOpen }: { onOpen: (next: WorkbenchSearch) => void }) {
  const metrics = useQuery(derivedMetricsQuery);
  return (
    <section aria-labelledby="derived-metrics" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id="derived-metrics" className="heading">
            Derived metrics
          </h2>
          <p className="max-w-3xl text-sm text-ink-2">
            A derived metric is computed from others, such as return / length. It is charted, exported,
            filtered and compared like every other metric.
          </p>
        </div>
        <Button kind="primary" icon="plus" onClick={() => onOpen({ name: "new" })}>
          New metric
        </Button>
      </div>
      {metrics.isPending && <Loading lines={3} />}
      {metrics.isError && <ErrorState error={metrics.error} onRetry={() => void metrics.refetch()} />}
      {metrics.isSuccess && metrics.data.length > 0 && (
        <ul aria-label="Derived metrics" className="flex flex-col rounded-md border bg-surface">
          {metrics.data.map((one) => (
            <li
              key={one.name}
              className="relative flex flex-wrap items-center justify-between gap-x-6 gap-y-0.5 border-b px-4 py-3 last:border-0 hover:bg-sunken"
            >
              <div className="min-w-0 flex-1">
                <Link
                  to="/workbench"
                  search={{ tab: "metrics", name: one.name }}
                  className="ring-inside truncate font-medium after:absolute after:inset-0"
                >
                  {one.name}
                </Link>
                <p className="font-mono text-xs wrap-anywhere text-ink-2">{one.expression}</p>
                {one.note && <p className="text-xs wrap-anywhere text-ink-3">{one.note}</p>}
              </div>
              <span className="figures text-xs text-ink-3">{formatDate(String(one.updated_at))}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
