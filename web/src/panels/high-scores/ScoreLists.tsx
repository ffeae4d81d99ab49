/** One list for each kind of player, and one for what was played with other arguments. */
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { HighScore, HighScores } from "@/api/types";
import { formatCount, formatDate, formatNumber } from "@/lib/format";
import { Badge } from "@/ui/Badge";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";

const TITLES: Record<HighScore["player"], string> = {
  person: "People",
  hybrid: "People and policies",
  policy: "Policies",
};
const ONE: Record<HighScore["player"], string> = {
  person: "person",
  hybrid: "person and policy",
  policy: "policy",
};
/** As many are shown at first, so that every list is seen at a glance. */
const SHOWN = 5;

export interface ScoreListsProps {
  found: HighScores;
  /** The play that is open. */
  runId?: string;
}

export function ScoreLists({ found, runId }: ScoreListsProps) {
  const { groups, changed = [] } = found;
  const lists = groups.filter(({ scores }) => scores.length > 0);
  if (lists.length === 0 && changed.length === 0)
    return (
      <p className="p-4 text-sm text-ink-2">Nobody has played here yet. The first episode is a record.</p>
    );
  return (
    <>
      {found.returns_note && <p className="border-b px-4 py-2 text-xs text-ink-2">{found.returns_note}</p>}
      {lists.map(({ player, scores }) => (
        <ScoreList key={player} title={TITLES[player]} scores={scores} runId={runId} />
      ))}
      {changed.length > 0 && <ScoreList title="With other arguments" scores={changed} runId={runId} />}
      <p className="px-4 py-2 text-2xs text-ink-3">
        Each play and each training counts once. Equal returns share a place, the earlier one first.
      </p>
    </>
  );
}

interface ScoreListProps {
  title: string;
  scores: readonly HighScore[];
  runId?: string;
}

function ScoreList({ title, scores, runId }: ScoreListProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? scores : scores.slice(0, SHOWN);
  const left = scores.length - shown.length;
  return (
    <section aria-label={title} className="border-b">
      <h3 className="label bg-sunken px-4 py-1 text-ink-3">{title}</h3>
      <ol aria-label={`High scores: ${title}`}>
        {shown.map((score, i) => (
          <Row
            key={`${score.run_id} ${score.episode}`}
            score={score}
            isHere={score.run_id === runId}
            isOwnBest={i === 0 && score.player === "person" && !score.arguments}
          />
        ))}
      </ol>
      {left > 0 && (
        <Button small kind="quiet" className="mx-2 my-1" onClick={() => setWhole(true)}>
          {`Show ${left} more`}
        </Button>
      )}
    </section>
  );
}

interface RowProps {
  score: HighScore;
  isHere: boolean;
  isOwnBest: boolean;
}

function Row({ score, isHere, isOwnBest }: RowProps) {
  const { player, label, run_id, episode, cited } = score;
  // Where a run has not kept which episode it was, its episodes open with the best one first.
  const which = episode === null ? { episodes: "-reward" as const } : { episode };
  const about = [
    score.arguments && `${ONE[player]}, ${score.arguments}`,
    cited && `evaluated by ${cited}`,
    isHere && "this play",
  ];
  const notes = about.filter(Boolean).join(" · ");
  return (
    <li className="border-t first:border-0">
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
        <span className="figures w-5 shrink-0 text-right text-xs text-ink-3">{score.rank}</span>
        <span
          aria-hidden="true"
          className={cx("size-2 shrink-0 rounded-full", player === "policy" ? "bg-ink" : "bg-live")}
        />
        <span className="min-w-0 flex-1">
          <span className="block wrap-anywhere">{label}</span>
          <span className="flex flex-wrap items-center gap-x-2 text-2xs text-ink-3">
            {isOwnBest && <Badge tone="good">your best</Badge>}
            {notes}
          </span>
        </span>
        <span className="figures text-xs">{formatNumber(score.return, 4)}</span>
      </Link>
    </li>
  );
}
