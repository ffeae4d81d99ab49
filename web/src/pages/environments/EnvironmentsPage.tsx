/** All environments of the lab: filter, preview, test, and a link to train in one. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useRef } from "react";
import type { Environment } from "@/api/types";
import { tabStop, walkCards } from "@/entities/environments/card-keys";
import { byFamily, EnvironmentCard, filterEnvironments } from "@/entities/environments/EnvironmentCard";
import { environmentsQuery } from "@/entities/environments/queries";
import { SearchField } from "@/ui/SearchField";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { EnvironmentDetail } from "./EnvironmentDetail";

const route = getRouteApi("/environments");

export function EnvironmentsPage() {
  const { q = "", env } = route.useSearch();
  const navigate = route.useNavigate();
  const environments = useQuery(environmentsQuery);
  const words = useDeferredValue(q);
  const found = filterEnvironments(environments.data ?? [], words);
  const stop = tabStop(
    found.map((e) => e.id),
    env,
  );
  const chosen = environments.data?.find((e) => e.id === env);
  const choose = (id: string) => void navigate({ search: (s) => ({ ...s, env: id }), resetScroll: false });
  return (
    <div className="container-page grid gap-6 py-4 sm:py-6 lg:grid-cols-[minmax(0,1fr)_26rem]">
      <div className="flex min-w-0 flex-col gap-5">
        <header className="flex flex-wrap items-center gap-3">
          <h1 className="title">Environments</h1>
          <span className="figures text-xs text-ink-3">{environments.data ? found.length : ""}</span>
          <div className="min-w-56 flex-1 sm:ml-auto sm:max-w-80">
            <SearchField
              label="Filter environments"
              value={q}
              onChange={(text) =>
                void navigate({
                  search: (s) => ({ ...s, q: text || undefined }),
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          </div>
        </header>
        {environments.isPending && <Loading lines={12} label="Loading the environments" />}
        {environments.isError && (
          <ErrorState error={environments.error} onRetry={() => void environments.refetch()} />
        )}
        {environments.isSuccess && found.length === 0 && (
          <EmptyState title="No environment matches">Clear the filter to see all environments.</EmptyState>
        )}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys walk over the buttons inside */}
        <div onKeyDown={walkCards} className="flex flex-col gap-6">
          {byFamily(found).map(([family, members]) => (
            <Family
              key={family}
              family={family}
              members={members}
              chosen={env}
              stop={stop}
              onChoose={choose}
            />
          ))}
        </div>
      </div>
      <Aside env={env} chosen={chosen} isKnown={environments.isSuccess} />
    </div>
  );
}

interface FamilyProps {
  family: string;
  members: Environment[];
  chosen?: string;
  stop?: string;
  onChoose: (id: string) => void;
}

const FAMILY_TITLES: Record<string, string> = { box2d: "Box2D", mujoco: "MuJoCo" };

/** "classic control" as a heading. */
const familyTitle = (family: string): string =>
  FAMILY_TITLES[family] ?? family.charAt(0).toUpperCase() + family.slice(1);

function Family({ family, members, chosen, stop, onChoose }: FamilyProps) {
  const navigate = useNavigate();
  return (
    <section aria-label={familyTitle(family)}>
      <h2 className="label mb-3 flex items-baseline gap-2 text-ink-3">
        {familyTitle(family)}
        <span className="figures font-normal">{members.length}</span>
      </h2>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(11.5rem,1fr))]">
        {members.map((e) => (
          <EnvironmentCard
            key={e.id}
            environment={e}
            isSelected={e.id === chosen}
            isTabStop={e.id === stop}
            onSelect={() => onChoose(e.id)}
            onPlay={() => void navigate({ to: "/play", search: { env: e.id, mode: "human" } })}
            tall
          />
        ))}
      </div>
    </section>
  );
}

/** On a phone the detail is far from the cards, so choosing one scrolls it into view. */
function Aside({ env, chosen, isKnown }: { env?: string; chosen?: Environment; isKnown: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const isBelow = window.matchMedia("(max-width: 63.99rem)").matches;
    if (chosen && isBelow) place.current?.scrollIntoView({ block: "start" });
  }, [chosen]);
  return (
    <div
      ref={place}
      className="min-w-0 scroll-mt-28 max-lg:order-first lg:sticky lg:top-[4.75rem] lg:max-h-[calc(100dvh-6rem)] lg:self-start lg:overflow-y-auto"
    >
      {env && !isKnown ? (
        <div className="min-h-dvh rounded-md border bg-surface p-4">
          <Loading lines={10} />
        </div>
      ) : chosen ? (
        <EnvironmentDetail key={chosen.id} environment={chosen} />
      ) : (
        <div className="rounded-md border border-dashed border-line-strong max-lg:hidden">
          {env ? (
            <EmptyState title="Unknown environment">{`There is no environment called ${env} in this lab.`}</EmptyState>
          ) : (
            <EmptyState title="Choose an environment">
              A random agent plays it here, and you see what the agent observes.
            </EmptyState>
          )}
        </div>
      )}
    </div>
  );
}
