/** Every environment of the lab: found by typing, described, one step from training. */
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { Environment } from "@/api/types";
import { formatCount, formatNumber } from "@/lib/format";
import { Panel } from "@/ui/Panel";
import { SearchField } from "@/ui/SearchField";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { EnvironmentCard, filterEnvironments } from "./EnvironmentCard";
import { environmentsQuery } from "./queries";

const route = getRouteApi("/environments");

export function EnvironmentsPage() {
  const { q = "", env } = route.useSearch();
  const navigate = route.useNavigate();
  const environments = useQuery(environmentsQuery);
  const chosen = environments.data?.find((e) => e.id === env);
  return (
    <div className="mx-auto grid w-full max-w-7xl gap-6 p-4 sm:p-6 lg:grid-cols-[1fr_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <h1 className="label text-base">Environments</h1>
        <SearchField
          label="Filter environments"
          value={q}
          onChange={(text) =>
            void navigate({ search: (s) => ({ ...s, q: text || undefined }), replace: true })
          }
        />
        {environments.isPending && <Loading lines={8} />}
        {environments.isError && (
          <ErrorState error={environments.error} onRetry={() => void environments.refetch()} />
        )}
        {environments.data && (
          <EnvironmentGrid
            environments={filterEnvironments(environments.data, q)}
            chosen={env}
            onChoose={(id) => void navigate({ search: (s) => ({ ...s, env: id }) })}
          />
        )}
      </div>
      <div className="lg:sticky lg:top-20 lg:self-start">
        {chosen ? (
          <EnvironmentDetail environment={chosen} />
        ) : (
          <div className="rounded-md border border-dashed">
            <EmptyState title="Choose an environment">Its spaces, limits and origin appear here.</EmptyState>
          </div>
        )}
      </div>
    </div>
  );
}

interface GridProps {
  environments: Environment[];
  chosen?: string;
  onChoose: (id: string) => void;
}

function EnvironmentGrid({ environments, chosen, onChoose }: GridProps) {
  if (environments.length === 0)
    return (
      <EmptyState title="No environment is called that">Clear the filter to see all of them.</EmptyState>
    );
  const families = [...new Set(environments.map((e) => e.family))];
  return families.map((family) => (
    <section key={family}>
      <h2 className="label mb-2 text-ink-3">{family}</h2>
      <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
        {environments
          .filter((e) => e.family === family)
          .map((e) => (
            <EnvironmentCard
              key={e.id}
              environment={e}
              isSelected={e.id === chosen}
              onSelect={() => onChoose(e.id)}
            />
          ))}
      </div>
    </section>
  ));
}

function EnvironmentDetail({ environment }: { environment: Environment }) {
  const facts = [
    ["Actions", environment.action_space],
    ["Observations", environment.obs_space],
    ["Solved at", formatNumber(environment.reward_threshold)],
    ["Steps at most", formatCount(environment.max_episode_steps)],
    ["From", environment.package],
  ];
  return (
    <Panel title={environment.id}>
      <p className="text-sm text-ink-2">{environment.description || environment.name}</p>
      <dl className="mt-4 text-sm">
        {facts.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 border-b py-1.5">
            <dt className="text-ink-3">{name}</dt>
            <dd className="figures text-right text-xs leading-6">{value}</dd>
          </div>
        ))}
      </dl>
      {environment.problem ? (
        <p className="mt-4 text-sm text-warn">
          {environment.problem} {environment.remedy}
        </p>
      ) : (
        <Link
          to="/"
          search={{ env: environment.id }}
          className="label mt-5 flex h-9 items-center justify-center rounded-sm bg-ink text-on-ink hover:opacity-88"
        >
          Train here
        </Link>
      )}
    </Panel>
  );
}
