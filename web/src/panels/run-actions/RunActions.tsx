/** What one does with an ended training: watch its best episode, film it, evaluate it, train again, share it. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Run } from "@/api/types";
import { bestEpisodeQuery } from "@/entities/episodes/queries";
import { TEST, whyNotTest } from "@/entities/evaluations/test-run";
import { useEvaluate } from "@/entities/evaluations/use-evaluations";
import { Button } from "@/ui/Button";
import { toast } from "@/ui/toasts";
import { AgainButton } from "./AgainButton";
import { FilmButton } from "./FilmButton";
import { ShareMenu } from "./ShareMenu";

export interface RunActionsProps {
  run: Run;
  /** The main one is filled: on the page of an ended run. */
  isMain?: boolean;
  onEvaluation: (evaluation: Run) => void;
}

export function RunActions({ run, isMain, onEvaluation }: RunActionsProps) {
  return (
    <div role="group" aria-label="What to do with this run" className="contents">
      <WatchButton run={run} isMain={isMain} />
      <FilmButton run={run} />
      <EvaluateNowButton run={run} onEvaluation={onEvaluation} />
      <AgainButton run={run} />
      <ShareMenu run={run} />
    </div>
  );
}

function WatchButton({ run, isMain }: { run: Run; isMain?: boolean }) {
  const navigate = useNavigate();
  const best = useQuery({ ...bestEpisodeQuery(run.id), enabled: !run.source });
  const open = (episode: number) =>
    void navigate({ to: "/runs/$runId", params: { runId: run.id }, search: { tab: "episodes", episode } });
  return (
    <Button
      small
      icon="play"
      kind={isMain ? "primary" : "outline"}
      reason={best.data || best.isFetching ? null : "No episode of this run was recorded."}
      onClick={() => best.data && open(best.data.episode)}
    >
      Watch best
    </Button>
  );
}

function EvaluateNowButton({ run, onEvaluation }: Omit<RunActionsProps, "isMain">) {
  const evaluate = useEvaluate(run.id, (made) => {
    toast(`Evaluation started: ${TEST.episodes} episodes.`);
    onEvaluation(made);
  });
  return (
    <Button
      small
      icon="check"
      reason={whyNotTest(run, false)}
      disabled={evaluate.isPending}
      onClick={() => evaluate.mutate(TEST)}
    >
      Evaluate
    </Button>
  );
}
