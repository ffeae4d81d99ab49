/** Metrics that users define, and alerts on metrics. The lists, or the metric that is open. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { derivedMetricsQuery } from "@/entities/derived-metrics/queries";
import type { WorkbenchSearch } from "@/pages/workbench/search";
import { Button } from "@/ui/Button";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { AlertsList } from "./AlertsList";
import { FiringsList } from "./FiringsList";
import { MetricDesk } from "./MetricDesk";
import { MetricsList } from "./MetricsList";

const route = getRouteApi("/workbench");

export default function MetricsTab() {
  const { name, run } = route.useSearch();
  const navigate = route.useNavigate();
  const onOpen = (next: WorkbenchSearch) =>
    void navigate({ search: { tab: "metrics", run, ...next }, resetScroll: false });
  if (name !== undefined) return <OpenMetric name={name} runId={run ?? null} onOpen={onOpen} />;
  return (
    <div className="flex flex-col gap-8">
      <MetricsList onOpen={onOpen} />
      <AlertsList />
      <FiringsList />
    </div>
  );
}

interface OpenMetricProps {
  name: string;
  runId: string | null;
  onOpen: (next: WorkbenchSearch) => void;
}

function OpenMetric({ name, runId, onOpen }: OpenMetricProps) {
  const metrics = useQuery(derivedMetricsQuery);
  if (metrics.isPending) return <Loading lines={8} />;
  if (metrics.isError) return <ErrorState error={metrics.error} />;
  const metric = metrics.data.find((one) => one.name === name) ?? null;
  if (metric === null && name !== "new")
    return (
      <EmptyState
        title={`There is no metric ${name}`}
        action={<Button onClick={() => onOpen({})}>All metrics</Button>}
      >
        It was deleted.
      </EmptyState>
    );
  return <MetricDesk key={name} metric={metric} runId={runId} onOpen={onOpen} />;
}
