/** Play: choose an environment, who acts and a seed, then play; a model alone can be watched without a recording. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { environmentsQuery } from "@/entities/environments/queries";
import { useStartPlay } from "@/entities/plays/use-start-play";
import { MODES } from "@/entities/plays/words";
import { runQuery } from "@/entities/runs/queries";
import { HighScores } from "@/panels/high-scores/HighScores";
import type { PolicyChoice } from "@/panels/policy-select/actors";
import { PolicySelect } from "@/panels/policy-select/PolicySelect";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { Select } from "@/ui/Select";
import { EmptyState } from "@/ui/states";
import { type AgentHandle, AgentStage } from "./AgentStage";
import { ModeSwitch } from "./ModeSwitch";
import { StartPanel } from "./StartPanel";
import { modeOf, type PlaySearch, playOf, policyOf, policyText } from "./search";

const route = getRouteApi("/play");

export function PlayPage() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const agent = useRef<AgentHandle>(null);
  const environments = useQuery(environmentsQuery).data ?? [];
  const policy = policyOf(search);
  const mode = modeOf(search);
  const run = useQuery({ ...runQuery(policy?.runId ?? ""), enabled: policy !== null && !search.env }).data;
  const envId = search.env ?? run?.env_id ?? undefined;
  const open = (next: PlaySearch) => void navigate({ to: "/play", search: next, replace: true });
  const change = (next: PlaySearch) => open({ env: search.env, mode, ...named(policy), ...next });
  const choosePolicy = (next: (PolicyChoice & { envId: string }) | null) => {
    if (!envId && next) return open({ env: next.envId, mode, ...named(next) });
    agent.current?.deploy(next);
    open({ env: envId, mode, seed: search.seed, ...named(next) });
  };
  const record = useStartPlay((run) => void navigate({ to: "/play/$runId", params: { runId: run.id } }));
  const isWatched = mode === "agent" && (envId !== undefined || policy !== null);
  return (
    <div className="container-page grid items-start gap-4 py-4 sm:py-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h1 className="title">Play</h1>
          <ModeSwitch value={mode} onChange={(next) => change({ mode: next })} />
          <p className="text-sm text-ink-2">{MODES[mode].help}</p>
        </header>
        <Panel
          title={envId ?? "Environment"}
          flush
          className="overflow-hidden"
          aside={isWatched && <span className="text-xs text-ink-3">not recorded</span>}
          actions={
            isWatched && (
              <Button
                small
                icon="record"
                title="Starts a play in which every episode is kept"
                disabled={record.isPending}
                onClick={() => record.mutate(playOf(envId, mode, search))}
              >
                Record a play
              </Button>
            )
          }
        >
          {isWatched ? (
            <AgentStage
              key={`${envId} ${search.env}`}
              envId={envId}
              policy={policy}
              handle={agent}
              onSwitch={(target) => open({ ...target, mode })}
            />
          ) : envId ? (
            <StartPanel envId={envId} mode={mode} search={search} onMode={(next) => change({ mode: next })} />
          ) : (
            <EmptyState title="Nothing to play yet">Choose an environment or a model.</EmptyState>
          )}
        </Panel>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <Panel title="Set up">
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
                onChange={(env) => open({ env, mode })}
              />
            </div>
            {mode !== "human" && <PolicySelect envId={envId} policy={policy} onChange={choosePolicy} />}
          </div>
        </Panel>
        {envId && <HighScores envId={envId} />}
      </div>
    </div>
  );
}

const named = (policy: PolicyChoice | null): PlaySearch => (policy ? { policy: policyText(policy) } : {});
