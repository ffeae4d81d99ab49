/** The run whose weights this one started with, by its name; by its id while that is unknown, or after it was deleted. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { startOfRun } from "@/entities/continuing/ancestors";
import { runQuery } from "@/entities/runs/queries";
import { formatCount } from "@/lib/format";

export function StartLink({ run }: { run: Run }) {
  const start = startOfRun(run);
  const parent = useQuery({ ...runQuery(start?.run_id ?? ""), enabled: start !== null }).data;
  if (!start) return null;
  const name = parent ? `“${parent.name}”` : `run ${start.run_id}`;
  // An imported file may not say how long it was trained.
  const step = start.timestep ? `, ${parent?.progress.unit ?? "step"} ${formatCount(start.timestep)}` : "";
  return (
    <Link
      to="/runs/$runId"
      params={{ runId: start.run_id }}
      className="text-xs text-ink-2 underline underline-offset-4 hover:text-ink"
    >
      {`started with weights of ${name}${step}`}
    </Link>
  );
}
