/** The left column: train a new agent (environment, form, TRAIN and TEST), or use a trained one. */
import { lazy, type ReactNode, Suspense } from "react";
import { ProblemError } from "@/api/problem";
import type { Run } from "@/api/types";
import { learnsFromData } from "@/entities/runners/offers";
import { isConsentNeeded } from "@/entities/scripts/queries";
import { parseSeeds } from "@/entities/studies/seeds";
import { chunk } from "@/lib/chunks";
import { useKeys } from "@/lib/keys";
import { draftProblem, newRunOf, trainedName } from "@/pages/lab/draft/draft";
import { otherErrors } from "@/pages/lab/draft/other-errors";
import type { DraftState } from "@/pages/lab/draft/use-draft";
import type { Shown } from "@/pages/lab/use-shown";
import { useWaitingCode } from "@/panels/code-consent/dialog";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading, TextWithCode } from "@/ui/states";
import { toast } from "@/ui/toasts";
import { EnvironmentChoice } from "./EnvironmentChoice";
import { NameFields } from "./NameFields";
import { TrainingForm } from "./TrainingForm";
import { TrainLabel } from "./TrainLabel";
import { useTrain, useTrainStudy } from "./use-train";
import { useWay } from "./use-way";
import { WaySwitch } from "./WaySwitch";

const DatasetChoice = lazy(chunk(() => import("@/pages/lab/datasets/DatasetChoice")));
const CodeConsent = lazy(chunk(() => import("@/panels/code-consent/CodeConsent")));
const TrainedModels = lazy(chunk(() => import("@/pages/lab/trained/TrainedModels")));

export interface ConfigurationProps {
  state: DraftState;
  shown: Shown;
  onStarted: (run: Run) => void;
  /** The environment that the stage shows. */
  stagedEnvId: string | null;
  /** The TEST button next to TRAIN; it depends on the shown run. */
  test: ReactNode;
}

const SCROLLED = "flex min-h-0 flex-col gap-3 lg:flex-1 lg:overflow-y-auto lg:rounded-b-md lg:border-b";

export function Configuration(props: ConfigurationProps) {
  const { state, shown } = props;
  const [way, setWay] = useWay();
  return (
    <>
      <WaySwitch way={way} onChange={setWay} />
      {way === "new" ? (
        <NewTraining {...props} />
      ) : (
        <div className={SCROLLED}>
          <EnvironmentChoice state={state} onPreview={shown.showPreview} />
          <Suspense fallback={<Loading lines={3} />}>
            <TrainedModels
              envId={state.envId}
              title={state.environment?.name ?? state.envId}
              shown={shown}
              onTrainNew={() => setWay("new")}
            />
          </Suspense>
        </div>
      )}
    </>
  );
}

function NewTraining(props: ConfigurationProps) {
  const { state, shown, onStarted, stagedEnvId, test } = props;
  const { runners, draft, environment } = state;
  const train = useTrain((run) => {
    // A name is for one run; the tags stay for the next one.
    state.setName("");
    onStarted(run);
  });
  const asksForCode = useWaitingCode();
  const study = useTrainStudy(() => state.setName(""));
  const start = () => {
    const problem = draft && draftProblem(draft, environment);
    if (problem) toast(problem, { tone: "warn" });
    else if (draft) {
      const { seeds } = parseSeeds(draft.seeds);
      const run = newRunOf(draft, environment);
      if (seeds === null) train.mutate(run);
      else study.mutate({ run, seeds });
    }
  };
  useKeys([{ keys: "ctrl+Enter", title: "Train", group: "Lab", inFields: true, run: start }]);
  const error = draft?.seeds ? study.error : train.error;
  const errors = error instanceof ProblemError && !isConsentNeeded(error) ? error.fieldErrors() : {};
  const others = draft ? otherErrors(errors, draft, environment?.action_space_type) : [];
  return (
    <>
      <div className={SCROLLED}>
        {draft && learnsFromData(draft.offer) ? (
          <Suspense fallback={<Loading lines={4} />}>
            <DatasetChoice state={state} draft={draft} errors={errors} />
          </Suspense>
        ) : (
          <EnvironmentChoice state={state} onPreview={shown.showPreview} />
        )}
        <Panel title="Hyperparameters" caps className="shrink-0" data-tour="parameters">
          {runners.isPending && <Loading lines={8} />}
          {runners.isError && <ErrorState error={runners.error} onRetry={() => void runners.refetch()} />}
          {draft && <TrainingForm state={state} draft={draft} errors={errors} />}
        </Panel>
      </div>
      {others.map(({ field, message }) => (
        <p key={field} role="alert" className="shrink-0 text-xs break-words text-warn">
          <TextWithCode text={`\`${field}\`: ${message}`} />
        </p>
      ))}
      <NameFields state={state} />
      <Suspense>{asksForCode && <CodeConsent />}</Suspense>
      <div
        data-tour="train"
        className="flex gap-2 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-20 max-lg:border-t max-lg:bg-surface max-lg:p-3"
      >
        <Button
          kind="primary"
          icon="play"
          className="h-auto! min-h-10 min-w-0 flex-1 px-2! py-1"
          caps
          reason={draft ? draftProblem(draft, environment) : "The runners are being loaded."}
          disabled={train.isPending || study.isPending}
          onClick={start}
        >
          <TrainLabel of={trainedName(draft, environment, stagedEnvId)} />
        </Button>
        {test}
      </div>
    </>
  );
}
