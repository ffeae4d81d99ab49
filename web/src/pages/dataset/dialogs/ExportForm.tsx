/** A version in another tool's format: choose it, watch the progress, download; earlier exports are listed. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Run } from "@/api/types";
import { artifactsQuery, downloadOf } from "@/entities/artifacts/queries";
import { exportedFile, exportsOf, FORMAT_TITLES, operationOf } from "@/entities/dataset-jobs/jobs";
import { useStartDatasetJob } from "@/entities/dataset-jobs/use-start-dataset-job";
import { RunProgress } from "@/entities/runs/RunProgress";
import { RunReason } from "@/entities/runs/RunReason";
import { isLive } from "@/entities/runs/status";
import { useMove } from "@/entities/runs/use-move";
import { startDownload } from "@/lib/download";
import { formatBytes, formatDate } from "@/lib/format";
import { keysOf } from "@/lib/keys-of";
import { Button } from "@/ui/Button";
import { ProblemNote } from "@/ui/states";
import type { OwnFormProps } from "./SplitForm";

const FORMATS = keysOf(FORMAT_TITLES);

export function ExportForm({ version, jobs, onClose }: OwnFormProps & { jobs: readonly Run[] }) {
  const [format, setFormat] = useState<(typeof FORMATS)[number]>("minari");
  const start = useStartDatasetJob(() => undefined, true);
  const exports = exportsOf(jobs, version.name, version.version);
  return (
    <div className="flex flex-col gap-4 p-5">
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">Format</legend>
        {FORMATS.map((one) => (
          <label key={one} className="flex items-start gap-2.5 text-sm">
            <input
              type="radio"
              name="format"
              className="mt-1 accent-ink"
              checked={format === one}
              onChange={() => setFormat(one)}
            />
            <span>
              {FORMAT_TITLES[one].title}
              <span className="block text-xs text-ink-3">{FORMAT_TITLES[one].about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <ProblemNote error={start.error} />
      <div className="flex justify-end gap-3">
        <Button onClick={onClose}>Close</Button>
        <Button
          kind="primary"
          icon="download"
          disabled={start.isPending}
          onClick={() =>
            start.mutate({ do: "export", of: { name: version.name, version: version.version }, format })
          }
        >
          Export
        </Button>
      </div>
      {exports.length > 0 && (
        <ul aria-label="Exports" className="flex flex-col border-t">
          {exports.slice(0, 6).map((job) => (
            <ExportRow key={job.id} job={job} />
          ))}
        </ul>
      )}
    </div>
  );
}

function ExportRow({ job }: { job: Run }) {
  const operation = operationOf(job);
  const move = useMove(job.id);
  const files = useQuery({ ...artifactsQuery(job.id), enabled: job.status === "succeeded" });
  const file = exportedFile(job, files.data ?? []);
  const title = operation?.do === "export" ? FORMAT_TITLES[operation.format].title : job.name;
  return (
    <li className="flex flex-col gap-1.5 border-b py-2.5 text-sm last:border-0">
      <div className="flex flex-wrap items-center gap-3">
        <span>{title}</span>
        <span className="figures text-2xs text-ink-3">{formatDate(job.created_at)}</span>
        <span className="ml-auto">
          {isLive(job) && (
            <Button small kind="danger" disabled={move.isPending} onClick={() => move.mutate("stop")}>
              Cancel
            </Button>
          )}
          {file && (
            <Button small icon="download" onClick={() => startDownload(downloadOf(file))}>
              {`Download ${formatBytes(file.size)}`}
            </Button>
          )}
        </span>
      </div>
      {isLive(job) && <RunProgress run={job} />}
      <RunReason run={job} />
    </li>
  );
}
