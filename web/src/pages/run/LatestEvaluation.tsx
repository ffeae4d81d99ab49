/** The newest evaluation with a result, in short. */
import { useQuery } from "@tanstack/react-query";
import type { Run } from "@/api/types";
import { evaluationsQuery } from "@/entities/evaluations/queries";
import { playedText } from "@/entities/evaluations/test-run";
import { EvaluateButton } from "@/pages/run/evaluations/EvaluateButton";
import { SummaryFacts } from "@/panels/evaluation/SummaryFacts";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import type { RunSearch } from "./search";

export function LatestEvaluation({
  run,
  onSearch,
}: {
  run: Run;
  onSearch: (change: RunSearch, isStep?: boolean) => void;
}) {
  const evaluations = useQuery(evaluationsQuery(run.id));
  const newest = evaluations.data?.find((one) => one.summary !== null);
  const summary = newest?.summary;
  const played = summary && playedText(summary);
  return (
    <Panel
      title="Newest evaluation"
      actions={
        newest && (
          <Button
            small
            kind="quiet"
            onClick={() => onSearch({ tab: "evaluations", evaluation: newest.run_id }, true)}
          >
            Watch
          </Button>
        )
      }
    >
      {evaluations.isPending && <Loading />}
      {evaluations.isError && <ErrorState error={evaluations.error} />}
      {summary && played && <p className="mb-3 text-xs text-ink-2">Checkpoint at {played}</p>}
      {summary && <SummaryFacts summary={summary} />}
      {evaluations.isSuccess && !summary && (
        <EmptyState
          title="Not evaluated yet"
          action={
            <EvaluateButton
              run={run}
              onStarted={(made) => onSearch({ tab: "evaluations", evaluation: made.id }, true)}
            />
          }
        >
          An evaluation plays the checkpoint without learning, on fixed seeds.
        </EmptyState>
      )}
    </Panel>
  );
}
