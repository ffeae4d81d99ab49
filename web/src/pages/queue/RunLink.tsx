/** The name of a run in the queue, and its kind if it is a job. */
import { Link } from "@tanstack/react-router";
import type { RunningEntry } from "@/api/types";
import { Badge } from "@/ui/Badge";

export function RunLink({ entry }: { entry: RunningEntry }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        to="/runs/$runId"
        params={{ runId: entry.run_id }}
        className="min-w-0 truncate text-sm font-medium hover:underline"
      >
        {entry.name}
      </Link>
      {entry.kind !== "train" && <Badge>{entry.kind}</Badge>}
      {entry.study_id && <Badge title="It belongs to a study.">study</Badge>}
    </span>
  );
}
