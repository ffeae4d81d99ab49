/** The environments as compact cards: a few until all are asked for, every match while filtering. */
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Environment } from "@/api/types";
import { tabStop, walkCards } from "@/entities/environments/card-keys";
import { EnvironmentCard, filterEnvironments } from "@/entities/environments/EnvironmentCard";
import { InstallNote } from "@/entities/environments/InstallNote";
import type { DraftState } from "@/pages/lab/draft/use-draft";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { SearchField } from "@/ui/SearchField";
import { ErrorState, Loading } from "@/ui/states";

const FEW = 4;

export interface EnvironmentChoiceProps {
  state: DraftState;
  onPreview: (envId: string) => void;
}

export function EnvironmentChoice({ state, onPreview }: EnvironmentChoiceProps) {
  const { environments, envId } = state;
  const [query, setQuery] = useState("");
  const [showsAll, setShowsAll] = useState(false);
  const all = environments.data ?? [];
  const found = filterEnvironments(all, query);
  const isShort = query === "" && !showsAll;
  return (
    <Panel
      title="Environment select"
      caps
      aside={<span className="figures text-2xs text-ink-3">{environments.data ? found.length : ""}</span>}
      flush
      className="shrink-0"
      data-tour="environments"
    >
      <div className="p-2 pb-0">
        <SearchField label="Filter environments" value={query} onChange={setQuery} />
      </div>
      <div className="flex flex-col gap-1 p-2">
        {environments.isPending && <Loading lines={6} label="Loading the environments" />}
        {environments.isError && (
          <ErrorState error={environments.error} onRetry={() => void environments.refetch()} />
        )}
        <Cards environments={isShort ? few(found, envId) : found} state={state} onPreview={onPreview} />
        {environments.isSuccess && found.length === 0 && (
          <p className="px-2 py-6 text-center text-sm text-ink-3">No environment matches “{query}”.</p>
        )}
        {query === "" && all.length > FEW && (
          <Button small kind="quiet" onClick={() => setShowsAll(!showsAll)} aria-expanded={showsAll}>
            {showsAll ? "Show fewer" : `All ${all.length} environments`}
          </Button>
        )}
      </div>
    </Panel>
  );
}

interface CardsProps extends EnvironmentChoiceProps {
  environments: readonly Environment[];
}

function Cards({ environments, state, onPreview }: CardsProps) {
  const { envId, choose } = state;
  const navigate = useNavigate();
  const [wanted, setWanted] = useState<string | null>(null);
  const stop = tabStop(
    environments.map((e) => e.id),
    envId,
  );
  // One that is not installed cannot be trained: a click shows how to install it, and the choice stays.
  const select = ({ id, problem }: Environment) => {
    setWanted(problem && id !== wanted ? id : null);
    if (!problem) choose({ env: id, preset: undefined });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys walk over the buttons inside
    <div onKeyDown={walkCards} className="flex flex-col gap-1">
      {environments.map((environment) => (
        <div key={environment.id}>
          <EnvironmentCard
            environment={environment}
            isSelected={environment.id === envId}
            isTabStop={environment.id === stop}
            onSelect={() => select(environment)}
            onPreview={() => onPreview(environment.id)}
            onPlay={() => void navigate({ to: "/play", search: { env: environment.id, mode: "human" } })}
          />
          {environment.id === wanted && (
            <div role="status" className="px-1 py-2">
              <InstallNote environment={environment} />
            </div>
          )}
        </div>
      ))}
    </div>
  );
}

/** The first ones, and the chosen one wherever it is in the list. */
export function few(environments: readonly Environment[], chosen: string): readonly Environment[] {
  const first = environments.slice(0, FEW);
  const far = environments.slice(FEW).find(({ id }) => id === chosen);
  return far ? [...first.slice(0, FEW - 1), far] : first;
}
