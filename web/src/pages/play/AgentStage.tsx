/** The stage: a model acts live in an environment, is exchanged for another while it plays, and nothing is kept. */
import { useQuery } from "@tanstack/react-query";
import { type Ref, useImperativeHandle, useRef, useState } from "react";
import type { FrameHeader, StageAgent, StageProblem } from "@/api/types";
import { environmentsQuery } from "@/entities/environments/queries";
import type { PolicyChoice } from "@/panels/policy-select/actors";
import { PreviewState } from "@/panels/preview/PreviewState";
import { Stage, type StageHandle } from "@/panels/stage/Stage";
import { RefusedModel } from "./RefusedModel";
import { StageControls } from "./StageControls";
import type { PlaySearch } from "./search";
import { stageQuery, switchOf } from "./stage";

export interface AgentHandle {
  /** Another model acts; null: random actions. */
  deploy: (policy: PolicyChoice | null) => void;
}

export interface AgentStageProps {
  envId: string | undefined;
  /** The one that acts first. */
  policy: PolicyChoice | null;
  handle: Ref<AgentHandle>;
  onSwitch: (target: PlaySearch) => void;
}

export function AgentStage({ envId, policy, handle, onSwitch }: AgentStageProps) {
  const stage = useRef<StageHandle>(null);
  const [header, setHeader] = useState<FrameHeader | null>(null);
  const [first] = useState(policy);
  const environments = useQuery(environmentsQuery).data ?? [];
  useImperativeHandle(
    handle,
    () => ({
      deploy: (next) =>
        stage.current?.send({ op: "deploy", run_id: next?.runId, checkpoint: next?.checkpoint }),
    }),
    [],
  );
  const problem = header?.problem as StageProblem | null | undefined;
  return (
    <>
      <Stage
        path={`/api/stage?${stageQuery({ env: envId, run: first?.runId, checkpoint: first?.checkpoint })}`}
        label={`A model in ${envId ?? "its environment"}`}
        placeholder={<p>Opening the stage…</p>}
        handle={stage}
        className="aspect-3/2 max-h-[62dvh]"
        onReport={(report) => setHeader(report.header)}
      />
      <StageControls header={header} send={(command) => stage.current?.send(command)} />
      <Actor header={header} />
      {problem && (
        <div className="border-t p-4 text-sm">
          <RefusedModel problem={problem} target={switchOf(problem)} onSwitch={onSwitch} />
        </div>
      )}
      <PreviewState header={header} names={environments.find(({ id }) => id === envId)} />
    </>
  );
}

function Actor({ header }: { header: FrameHeader | null }) {
  const agent = header?.agent as StageAgent | undefined;
  if (!agent) return null;
  return (
    <p aria-live="polite" className="border-t px-4 py-2 text-sm text-ink-2">
      {header?.loading ? `Loading ${header.loading}… Until then: ${agent.label}.` : `Acting: ${agent.label}`}
    </p>
  );
}
