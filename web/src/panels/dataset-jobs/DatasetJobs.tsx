/** The jobs on datasets that are at work, and those that failed lately: progress, cancel, what to do next. */
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { isShown, operationOf, operationText } from "@/entities/dataset-jobs/jobs";
import { RunProgress } from "@/entities/runs/RunProgress";
import { StatusBadge } from "@/entities/runs/StatusBadge";
import { isLive } from "@/entities/runs/status";
import { useMove } from "@/entities/runs/use-move";
import { useRemembered } from "@/lib/remembered";
import { Button, IconButton } from "@/ui/Button";
import { TextWithCode } from "@/ui/states";

const MOST_DISMISSED = 100;

export function DatasetJobs({ jobs }: { jobs: readonly Run[] }) {
  const [dismissed, setDismissed] = useRemembered<string[]>("dismissed-dataset-jobs", []);
  const shown = jobs.filter((job) => isShown(job, dismissed));
  if (shown.length === 0) return null;
  return (
    <ul aria-label="Jobs on datasets" className="flex flex-col rounded-md border bg-surface">
      {shown.map((job) => (
        <JobRow
          key={job.id}
          job={job}
          onDismiss={() => setDismissed([job.id, ...dismissed].slice(0, MOST_DISMISSED))}
        />
      ))}
    </ul>
  );
}

function JobRow({ job, onDismiss }: { job: Run; onDismiss: () => void }) {
  const move = useMove(job.id);
  const operation = operationOf(job);
  const title = operation ? operationText(operation) : job.name;
  return (
    <li className="flex flex-col gap-2 border-b px-4 py-3 last:border-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          to="/runs/$runId"
          params={{ runId: job.id }}
          className="ring-inside min-w-0 rounded-sm text-sm font-medium break-words hover:underline"
        >
          {title}
        </Link>
        <StatusBadge status={job.status} />
        <span className="ml-auto">
          {isLive(job) ? (
            <Button
              small
              kind="danger"
              disabled={move.isPending || job.status === "stopping"}
              onClick={() => move.mutate("stop")}
            >
              Cancel
              <span className="sr-only">{`: ${title}`}</span>
            </Button>
          ) : (
            <IconButton icon="close" label={`Dismiss: ${title}`} onClick={onDismiss} />
          )}
        </span>
      </div>
      {isLive(job) ? (
        <RunProgress run={job} />
      ) : (
        job.reason && (
          <p className="text-sm break-words text-warn">
            <TextWithCode text={job.reason.message} />
            {job.reason.next_step && (
              <span className="text-ink-2">
                {" Next: "}
                <TextWithCode text={job.reason.next_step} />
              </span>
            )}
          </p>
        )
      )}
    </li>
  );
}
