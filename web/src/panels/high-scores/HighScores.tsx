/** The best episodes of an environment: by people, by people and policies in turn, and by policies. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { scoresQuery } from "@/entities/plays/queries";
import { formatNumber } from "@/lib/format";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";
import { ScoreLists } from "./ScoreLists";

export interface HighScoresProps {
  envId: string;
  /** The play that is open: its episodes are marked. */
  runId?: string;
  /** How many episodes it has: the scores are fetched again when one more has ended. */
  episodes?: number;
}

export function HighScores({ envId, runId, episodes }: HighScoresProps) {
  const query = useQuery(scoresQuery(envId));
  const { refetch } = query;
  useEffect(() => {
    if (episodes) void refetch();
  }, [episodes, refetch]);
  const threshold = query.data?.threshold;
  return (
    <Panel
      title="High scores"
      flush
      aside={
        threshold != null && (
          <span className="figures text-xs text-ink-3">{`solved at ${formatNumber(threshold)}`}</span>
        )
      }
    >
      {query.isPending && (
        <div className="p-4">
          <Loading lines={4} />
        </div>
      )}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isSuccess && <ScoreLists found={query.data} runId={runId} />}
    </Panel>
  );
}
