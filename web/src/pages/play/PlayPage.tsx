/** The stage: a model acts live in an environment, and is exchanged for another while it plays. */
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { CheckpointItem, FrameHeader, StageAgent, StageProblem } from "@/api/types";
import { checkpointsQuery } from "@/entities/checkpoints/queries";
import { environmentsQuery } from "@/entities/environments/queries";
import { PreviewState } from "@/panels/preview/PreviewState";
import { Stage, type StageHandle } from "@/panels/stage/Stage";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { EmptyState } from "@/ui/states";
import { actorOptions, NOBODY, stageQuery, switchOf } from "./actors";
import { RefusedModel } from "./RefusedModel";
import { StageControls } from "./StageControls";
import type { PlaySearch } from "./search";

const route = getRouteApi("/play");

export function PlayPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const stage = useRef<StageHandle>(null);
  const [opened, setOpened] = useState<PlaySearch>(search);
  const [header, setHeader] = useState<FrameHeader | null>(null);
  const environments = useQuery(environmentsQuery).data ?? [];
  const pages = useInfiniteQuery(checkpointsQuery({ sort: "created_at" })).data?.pages;
  const items = pages?.flatMap((page) => page.items) ?? [];
  const acting = items.find(({ id }) => id === search.checkpoint);
  const envId = opened.env ?? items.find(({ run_id }) => run_id === opened.run)?.env_id;
  const keep = (next: PlaySearch) => void navigate({ search: next, replace: true });
  const open = (next: PlaySearch) => {
    setOpened(next);
    keep(next);
  };
  // A link to another stage opens it, a model that was chosen here is already on its way.
  const shown = useRef(search);
  useEffect(() => {
    if (search.env !== shown.current.env && search.env !== opened.env) setOpened(search);
    shown.current = search;
  }, [search, opened.env]);
  const deploy = (item: CheckpointItem | undefined) => {
    stage.current?.send({ op: "deploy", run_id: item?.run_id, checkpoint: item?.id });
    keep({ env: envId, run: item?.run_id, checkpoint: item?.id });
  };
  const problem = header?.problem as StageProblem | null | undefined;
  const wanted = stageQuery(opened);
  return (
    <div className="container-page grid gap-4 py-4 sm:py-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <h1 className="sr-only">Play</h1>
      <Panel title={envId ?? "Stage"}>
        <div className="-m-4 flex flex-col">
          {wanted ? (
            <Stage
              path={`/api/stage?${wanted}`}
              label={`A model in ${envId ?? "its environment"}`}
              placeholder={<p>Opening the stage…</p>}
              handle={stage}
              onReport={(report) => setHeader(report.header)}
            />
          ) : (
            <EmptyState title="Nothing is on the stage">Choose an environment or a model.</EmptyState>
          )}
          <StageControls header={header} send={(command) => stage.current?.send(command)} />
          <PreviewState header={header} names={environments.find(({ id }) => id === envId)} />
        </div>
      </Panel>
      <Panel title="Agent">
        <div className="flex flex-col gap-4 text-sm">
          <div className="flex flex-col gap-1">
            <span aria-hidden>Environment</span>
            <Select
              label="Environment"
              value={envId ?? ""}
              options={[
                ...(envId ? [] : [{ value: "", title: "Choose…" }]),
                ...environments.map(({ id }) => ({ value: id, title: id })),
              ]}
              onChange={(env) => open({ env })}
            />
          </div>
          <div className="flex flex-col gap-1">
            <span aria-hidden>Model</span>
            <Select
              label="Model"
              value={acting?.id ?? NOBODY}
              options={actorOptions(items, envId, search.checkpoint)}
              onChange={(id) => {
                const item = items.find((one) => one.id === id);
                if (wanted === null && item)
                  open({ env: item.env_id, run: item.run_id, checkpoint: item.id });
                else deploy(item);
              }}
            />
          </div>
          <Actor header={header} />
          {problem && <RefusedModel problem={problem} target={switchOf(problem)} onSwitch={open} />}
        </div>
      </Panel>
    </div>
  );
}

function Actor({ header }: { header: FrameHeader | null }) {
  const agent = header?.agent as StageAgent | undefined;
  if (!agent) return null;
  return (
    <p aria-live="polite" className="text-ink-2">
      {header?.loading ? `Loading ${header.loading}… Until then: ${agent.label}.` : `Acting: ${agent.label}`}
    </p>
  );
}
