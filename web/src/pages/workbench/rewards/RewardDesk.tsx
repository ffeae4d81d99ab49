/** One reward: its code, what the check says, its versions, and the bench. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { environmentsQuery } from "@/entities/environments/queries";
import { runnersQuery } from "@/entities/runners/queries";
import { runQuery } from "@/entities/runs/queries";
import { rewardWords } from "@/panels/code-editor/words";
import { CodeDesk } from "@/panels/saved-code/CodeDesk";
import { DeskHeader } from "@/panels/saved-code/DeskHeader";
import {
  type CodeDeskState,
  type OpenedVersion,
  useCodeDesk,
  whyNotUse,
} from "@/panels/saved-code/use-code-desk";
import { Button } from "@/ui/Button";
import { BenchPanel } from "./bench/BenchPanel";
import { EnvironmentSelect } from "./EnvironmentSelect";
import type { Opening } from "./opening";
import { trainSearch } from "./train-search";

export function RewardDesk({ runId, ...opened }: OpenedVersion & Opening) {
  const desk = useCodeDesk({ ...opened, kind: "reward", untitled: "New reward", runId });
  const { draft, version } = desk;
  const environment = useQuery(environmentsQuery).data?.find(({ id }) => id === draft.envId);
  const words = useMemo(() => rewardWords(environment), [environment]);
  return (
    <CodeDesk
      desk={desk}
      words={words}
      triedOn={triedOn(runId, draft.envId)}
      header={
        <DeskHeader desk={desk} all="All rewards" actions={<TrainButton desk={desk} runId={runId} />}>
          <div className="w-56 max-sm:w-full">
            <EnvironmentSelect value={draft.envId} onChange={draft.setEnvId} />
          </div>
        </DeskHeader>
      }
    >
      <BenchPanel
        open={{ source: draft.source, envId: draft.envId, isChanged: draft.isChanged, version }}
        known={desk.known}
        runId={runId}
      />
    </CodeDesk>
  );
}

/** Opens the form of a training; after *Edit and run* with the settings of that run. */
function TrainButton({ desk, runId }: { desk: CodeDeskState; runId: string | null }) {
  const navigate = useNavigate();
  const run = useQuery({ ...runQuery(runId ?? ""), enabled: runId !== null });
  const runners = useQuery({ ...runnersQuery, enabled: runId !== null });
  const { version, title, draft } = desk;
  const isWaiting = runId !== null && (run.isPending || runners.isPending);
  const settings = { envId: draft.envId, run: run.data, runners: runners.data };
  return (
    <Button
      icon="play"
      reason={whyNotUse(desk) ?? (isWaiting ? "The settings of the run are loading." : null)}
      title={`Opens the form of a training with ${title}`}
      onClick={() => version && void navigate({ to: "/", search: trainSearch({ version, ...settings }) })}
    >
      Train with it
    </Button>
  );
}

function triedOn(runId: string | null, envId: string): string {
  if (runId) return `recorded steps of ${runId}`;
  return envId ? `steps of ${envId}` : "steps";
}
