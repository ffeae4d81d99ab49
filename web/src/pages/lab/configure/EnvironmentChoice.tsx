/** The environments as a list of cards; the chosen one is in view when the page opens. */
import { useEffect, useRef, useState } from "react";
import { tabStop, walkCards } from "@/entities/environments/card-keys";
import { EnvironmentCard, filterEnvironments } from "@/entities/environments/EnvironmentCard";
import { Panel } from "@/ui/Panel";
import { SearchField } from "@/ui/SearchField";
import { ErrorState, Loading } from "@/ui/states";
import type { DraftState } from "./use-draft";

export interface EnvironmentChoiceProps {
  state: DraftState;
  onPreview: (envId: string) => void;
}

export function EnvironmentChoice({ state, onPreview }: EnvironmentChoiceProps) {
  const { environments, envId, choose } = state;
  const [query, setQuery] = useState("");
  const list = useRef<HTMLDivElement>(null);
  const found = filterEnvironments(environments.data ?? [], query);
  const stop = tabStop(
    found.map((e) => e.id),
    envId,
  );
  useScrollToChosen(list, environments.isSuccess);
  return (
    <Panel
      title="Environment select"
      caps
      aside={<span className="figures text-2xs text-ink-3">{environments.data ? found.length : ""}</span>}
      flush
      className="lg:h-[38%] lg:min-h-56 lg:shrink-0"
      data-tour="environments"
    >
      <div className="flex h-full flex-col">
        <div className="p-2 pb-0">
          <SearchField label="Filter environments" value={query} onChange={setQuery} />
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys walk over the buttons inside */}
        <div
          ref={list}
          onKeyDown={walkCards}
          className="relative flex max-h-80 min-h-0 flex-1 flex-col gap-1.5 overflow-y-auto p-2 lg:max-h-none"
        >
          {environments.isPending && <Loading lines={6} label="Loading the environments" />}
          {environments.isError && (
            <ErrorState error={environments.error} onRetry={() => void environments.refetch()} />
          )}
          {found.map((environment) => (
            <EnvironmentCard
              key={environment.id}
              environment={environment}
              isSelected={environment.id === envId}
              isTabStop={environment.id === stop}
              onSelect={() => choose({ env: environment.id, preset: undefined })}
              onPreview={() => onPreview(environment.id)}
            />
          ))}
          {environments.isSuccess && found.length === 0 && (
            <p className="px-2 py-6 text-center text-sm text-ink-3">No environment matches “{query}”.</p>
          )}
        </div>
      </div>
    </Panel>
  );
}

function useScrollToChosen(list: React.RefObject<HTMLDivElement | null>, isReady: boolean): void {
  useEffect(() => {
    const box = list.current;
    const chosen = box?.querySelector<HTMLElement>('[aria-pressed="true"]')?.parentElement;
    if (isReady && box && chosen) box.scrollTop = chosen.offsetTop - 8;
  }, [list, isReady]);
}
