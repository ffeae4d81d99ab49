/** The best episodes of an environment: by people, by people and policies in turn, and by policies. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import type { HighScore } from "@/api/types";
import { scoresQuery } from "@/entities/plays/queries";
import { formatCount, formatDate, formatNumber } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { cx } from "@/ui/cx";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";
import { PLAYERS, rankOf } from "./ranks";

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
  const { scores = [], threshold } = query.data ?? {};
  const ranks = rankOf(scores);
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
      {query.isSuccess && scores.length === 0 && (
        <p className="p-4 text-sm text-ink-2">Nobody has played here yet. The first episode is a record.</p>
      )}
      {scores.length > 0 && (
        <ol className="max-h-96 overflow-y-auto" aria-label={`High scores of ${envId}`}>
          {scores.map((score, i) => (
            <Row
              key={`${score.run_id} ${score.episode}`}
              score={score}
              rank={ranks[i]!}
              isHere={score.run_id === runId}
              isOwnBest={i === scores.findIndex(({ player }) => player === "person")}
            />
          ))}
        </ol>
      )}
    </Panel>
  );
}

interface RowProps {
  score: HighScore;
  rank: number;
  isHere: boolean;
  isOwnBest: boolean;
}

function Row({ score, rank, isHere, isOwnBest }: RowProps) {
  const { player, label, run_id, episode } = score;
  // Where a run has not kept which episode it was, its episodes open with the best one first.
  const which = episode === null ? { episodes: "-reward" as const } : { episode };
  return (
    <li className="border-b last:border-0">
      <Link
        to="/runs/$runId"
        params={{ runId: run_id }}
        search={{ tab: "episodes", ...which }}
        title={`${formatCount(score.length)} steps, seed ${score.seed ?? "–"}, ${formatDate(score.at)}`}
        className={cx(
          "ring-inside flex items-center gap-2.5 px-4 py-1.5 text-sm hover:bg-sunken",
          isHere && "bg-select",
        )}
      >
        <span className="figures w-5 shrink-0 text-right text-xs text-ink-3">{rank}</span>
        <span
          aria-hidden="true"
          className={cx("size-2 shrink-0 rounded-full", player === "policy" ? "bg-ink" : "bg-live")}
        />
        <span className="min-w-0 flex-1">
          <span className="block truncate">{label}</span>
          <span className="block text-2xs text-ink-3">
            {PLAYERS[player]}
            {isHere && ", this play"}
          </span>
        </span>
        {isOwnBest && <Badge tone="good">your best</Badge>}
        <span className="figures text-xs">{formatNumber(score.return, 4)}</span>
      </Link>
    </li>
  );
}
