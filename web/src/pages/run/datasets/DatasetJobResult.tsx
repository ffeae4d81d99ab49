/** What a job on datasets does, and what it has made. */
import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { artifactsQuery, downloadOf } from "@/entities/artifacts/queries";
import { exportedFile, operationOf, operationText, resultOf } from "@/entities/dataset-jobs/jobs";
import { DatasetLink } from "@/entities/datasets/DatasetLink";
import { readSpelled } from "@/entities/datasets/words";
import { useRunEvents } from "@/entities/events/use-run-events";
import { isLive } from "@/entities/runs/status";
import { formatBytes, formatPlural } from "@/lib/format";
import { EventLog } from "@/panels/event-log/EventLog";
import { Panel } from "@/ui/Panel";

export function DatasetJobResult({ run }: { run: Run }) {
  const operation = operationOf(run);
  const result = resultOf(run);
  const events = useRunEvents(run.id);
  const files = useQuery({ ...artifactsQuery(run.id), enabled: !isLive(run) });
  const file = exportedFile(run, files.data ?? []);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Panel title="Result">
        <div className="flex flex-col gap-3 text-sm">
          {operation && <p>{operationText(operation)}</p>}
          <p className="text-ink-2">{result?.message ?? (isLive(run) ? "Under way." : "No result.")}</p>
          {result && (result.versions ?? []).length > 0 && (
            <ul aria-label="New versions" className="flex flex-col gap-1">
              {result.versions!.map((spelled) => (
                <li key={spelled}>
                  <DatasetLink {...readSpelled(spelled)} />
                </li>
              ))}
            </ul>
          )}
          {result && (result.episodes ?? 0) > 0 && (
            <p className="figures text-xs text-ink-2">
              {`${formatPlural(result.episodes ?? 0, "episode")}, ${formatPlural(result.transitions ?? 0, "step")}`}
            </p>
          )}
          {file && (
            <a href={downloadOf(file)} download className="underline underline-offset-4">
              {`Download ${formatBytes(file.size)}`}
            </a>
          )}
        </div>
      </Panel>
      <Panel title="Events" flush>
        <EventLog events={events.slice(0, 30)} />
      </Panel>
    </div>
  );
}
