/** A play on the page of its run: what it is, its episodes by return, and the records of its environment. */
import type { Run } from "@/api/types";
import { HighScores } from "@/panels/high-scores/HighScores";
import { PlaySummary } from "./PlaySummary";

export function PlayOverview({ run }: { run: Run }) {
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <PlaySummary run={run} />
      {run.env_id && <HighScores envId={run.env_id} runId={run.id} />}
    </div>
  );
}
