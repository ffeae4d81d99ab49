/** One play: /play/<run>. A reload, or the same address in another window, connects to the same play. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { environmentsQuery } from "@/entities/environments/queries";
import { useRun } from "@/entities/runs/live-runs";
import { isOver } from "@/entities/runs/status";
import { HighScores } from "@/panels/high-scores/HighScores";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { EndedPlay } from "./EndedPlay";
import { Session } from "./Session";
import { SessionEpisodes } from "./SessionEpisodes";

const route = getRouteApi("/play/$runId");

export function SessionPage() {
  const { runId } = route.useParams();
  const run = useRun(runId);
  if (run.isPending)
    return (
      <div className="container-page py-6">
        <Loading lines={10} label="Opening the play" />
      </div>
    );
  if (run.isError) return <ErrorState error={run.error} onRetry={() => void run.refetch()} />;
  if (run.data.config.kind !== "play")
    return (
      <EmptyState
        title="This run is not a play"
        action={
          <Link to="/runs/$runId" params={{ runId }} className="underline underline-offset-4">
            Open the run
          </Link>
        }
      />
    );
  return <OpenPlay key={runId} run={run.data} />;
}

function OpenPlay({ run }: { run: Run }) {
  const envId = run.env_id ?? "";
  const environment = useQuery(environmentsQuery).data?.find(({ id }) => id === envId);
  const more = (
    <>
      <SessionEpisodes run={run} />
      <HighScores envId={envId} runId={run.id} episodes={run.progress.episodes} />
    </>
  );
  if (isOver(run)) return <EndedPlay run={run}>{more}</EndedPlay>;
  return (
    <Session
      run={run}
      envId={envId}
      actionNames={environment?.action_names ?? []}
      observationNames={environment?.observation_names ?? []}
    >
      {more}
    </Session>
  );
}
