/** Evaluation code: the editor, what the check says, its versions, and its numbers on recorded episodes. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { environmentsQuery } from "@/entities/environments/queries";
import { EnvironmentSelect } from "@/pages/workbench/rewards/EnvironmentSelect";
import { CodeDesk } from "@/panels/saved-code/CodeDesk";
import { DeskHeader } from "@/panels/saved-code/DeskHeader";
import { type OpenedVersion, useCodeDesk } from "@/panels/saved-code/use-code-desk";
import { evaluationWords } from "./evaluation-words";
import type { OpenedFrom } from "./opened-from";
import { PreviewPanel } from "./PreviewPanel";

export function EvaluationCodeDesk({ runId, ...opened }: OpenedVersion & OpenedFrom) {
  const desk = useCodeDesk({ ...opened, kind: "evaluation", untitled: "New evaluation code", runId });
  const { draft } = desk;
  const environment = useQuery(environmentsQuery).data?.find(({ id }) => id === draft.envId);
  const words = useMemo(() => evaluationWords(environment), [environment]);
  return (
    <CodeDesk
      desk={desk}
      words={words}
      triedOn="recorded episodes"
      header={
        <DeskHeader desk={desk} all="All evaluation code">
          <div className="w-56 max-sm:w-full">
            <EnvironmentSelect value={draft.envId} onChange={draft.setEnvId} />
          </div>
        </DeskHeader>
      }
    >
      <PreviewPanel source={draft.source} envId={draft.envId} runId={runId} onLine={desk.onLine} />
    </CodeDesk>
  );
}
