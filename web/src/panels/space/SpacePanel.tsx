/** Disk usage of the runs, of named models and datasets, largest first, and the limits that the lab keeps to. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { DatasetDiskUsage, Kept, ModelDiskUsage, RunDiskUsage } from "@/api/types";
import { usageQuery } from "@/entities/space/queries";
import { formatBytes, formatCount, formatPlural } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";
import { RetentionKnobs } from "./RetentionKnobs";

export function SpacePanel() {
  const usage = useQuery(usageQuery);
  return (
    <Panel
      title="Space"
      flush
      aside={
        usage.data && (
          <span role="status" className="figures text-xs text-ink-3">
            {`${formatBytes(usage.data.total_bytes)} in ${formatCount(usage.data.total_runs)} runs${modelsText(usage.data.models)} · ${formatBytes(usage.data.free_bytes)} free`}
            {!usage.data.is_complete && ` · ${formatCount(usage.data.measured_runs)} measured so far`}
          </span>
        )
      }
    >
      <div className="border-b p-4">
        <RetentionKnobs />
        {usage.data?.problem && <p className="mt-3 text-sm text-warn">{usage.data.problem}</p>}
      </div>
      {usage.isPending && (
        <div className="p-4">
          <Loading lines={5} />
        </div>
      )}
      {usage.isError && <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.data && usage.data.runs.length > 0 && <UsageTable runs={usage.data.runs} />}
      {usage.data && usage.data.models.length > 0 && <ModelsUsage models={usage.data.models} />}
      {usage.data && usage.data.datasets.length > 0 && <DatasetsUsage datasets={usage.data.datasets} />}
    </Panel>
  );
}

const HEADS = ["Run", "On disk", "Videos kept", "Checkpoints kept", "TensorBoard kept"];

function UsageTable({ runs }: { runs: readonly RunDiskUsage[] }) {
  return (
    <section className="max-h-96 overflow-auto" aria-label="Space by run" tabIndex={0}>
      <table className="w-full min-w-2xl text-left text-sm">
        <thead className="label text-ink-3">
          <tr className="border-b">
            {HEADS.map((head) => (
              <th key={head} scope="col" className="px-4 py-2 font-semibold">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <tr key={run.run_id} className="border-b last:border-0">
              <td className="px-4 py-2">
                <Link
                  to="/runs/$runId"
                  params={{ runId: run.run_id }}
                  search={{ tab: "artifacts" }}
                  className="underline-offset-4 hover:underline"
                >
                  {run.name}
                </Link>{" "}
                {run.archived && <Badge>archived</Badge>}
              </td>
              <td className="figures px-4 py-2 text-xs">{formatBytes(run.bytes)}</td>
              {[run.videos, run.checkpoints, run.tensorboard].map((kept, i) => (
                <td key={HEADS[i + 2]} className="figures px-4 py-2 text-xs">
                  {shareText(kept)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Copies of versions; removing a version frees its copy. */
function ModelsUsage({ models }: { models: readonly ModelDiskUsage[] }) {
  return (
    <section className="border-t px-4 py-3" aria-label="Space by named model">
      <h3 className="label text-ink-3">Copies kept by named models</h3>
      <ul className="mt-2 flex max-h-48 flex-wrap gap-x-6 gap-y-1 overflow-auto text-sm">
        {models.map((model) => (
          <li key={model.name}>
            <Link to="/models" search={{ view: "named" }} className="underline-offset-4 hover:underline">
              {model.name}
            </Link>{" "}
            <span className="figures text-xs text-ink-2">
              {`${formatBytes(model.bytes)}, ${formatPlural(model.versions, "version")}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DatasetsUsage({ datasets }: { datasets: readonly DatasetDiskUsage[] }) {
  return (
    <section className="border-t px-4 py-3" aria-label="Space by dataset">
      <h3 className="label text-ink-3">Datasets</h3>
      <ul className="mt-2 flex max-h-48 flex-wrap gap-x-6 gap-y-1 overflow-auto text-sm">
        {datasets.map((dataset) => (
          <li key={dataset.name}>
            {dataset.name}{" "}
            <span className="figures text-xs text-ink-2">
              {`${formatBytes(dataset.bytes)}, ${formatPlural(dataset.versions, "version")}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const modelsText = (models: readonly ModelDiskUsage[]): string =>
  models.length === 0 ? "" : ` and ${formatPlural(models.length, "named model")}`;

const shareText = (kept: Kept): string => (kept.made === 0 ? "–" : `${kept.kept}/${kept.made}`);
