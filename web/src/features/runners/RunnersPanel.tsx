/** The learning libraries: what each offers, whether it is ready here, and the remedy when it is not. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Runner } from "@/api/types";
import { Badge } from "@/ui/Badge";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";
import { runnersQuery } from "./queries";

export function RunnersPanel() {
  const runners = useQuery(runnersQuery);
  return (
    <Panel title="Runners" flush>
      {runners.isPending && (
        <div className="p-4">
          <Loading lines={5} />
        </div>
      )}
      {runners.isError && <ErrorState error={runners.error} onRetry={() => void runners.refetch()} />}
      <div className="grid divide-y lg:grid-cols-2 lg:divide-x lg:divide-y-0">
        {runners.data?.map((runner) => (
          <RunnerRow key={runner.id} runner={runner} />
        ))}
      </div>
    </Panel>
  );
}

function RunnerRow({ runner }: { runner: Runner }) {
  return (
    <section aria-label={runner.name} className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="text-sm font-medium">{runner.name}</h3>
        <Badge>{runner.id}</Badge>
        <Badge tone={runner.ready ? "good" : "warn"}>{runner.ready ? "ready" : "not ready"}</Badge>
      </div>
      <p className="text-sm text-ink-2">{runner.description}</p>
      {runner.problems.map((problem) => (
        <p key={problem.module} className="text-sm text-warn">
          {problem.module} is missing. {problem.remedy}
        </p>
      ))}
      <div className="flex flex-wrap gap-1.5">
        {runner.algorithms.map((algorithm) => (
          <Link
            key={algorithm.id}
            to="/"
            search={{ algorithm: `${runner.id}/${algorithm.id}` }}
            title={algorithm.description}
            className="figures inline-flex min-h-6 items-center rounded-sm border px-2 text-xs hover:border-line-strong hover:bg-sunken"
          >
            {algorithm.name}
          </Link>
        ))}
      </div>
      <p className="text-xs text-ink-3">{capabilityWords(runner)}</p>
    </section>
  );
}

const WORDS: Record<keyof Runner["capabilities"], string> = {
  pause: "pauses",
  checkpoint: "saves checkpoints",
  resume: "goes on after a stop",
  evaluate: "can be tested",
  record: "keeps episodes",
  thoughts: "says what it thinks",
  early_stop: "stops when solved",
  gpu: "uses a GPU",
  vectors_only: "learns from vectors only",
  exports: "exports its models",
  foreign: "runs code from outside the lab",
  own_environment: "makes its own environment",
};

export function capabilityWords(runner: Runner): string {
  const names = Object.keys(WORDS) as (keyof Runner["capabilities"])[];
  return names
    .filter((name) => isOffered(runner.capabilities[name]))
    .map((name) => WORDS[name])
    .join(" · ");
}

/** A flag, or a list that has something in it. */
const isOffered = (offer: boolean | readonly string[] | undefined): boolean =>
  Array.isArray(offer) ? offer.length > 0 : Boolean(offer);
