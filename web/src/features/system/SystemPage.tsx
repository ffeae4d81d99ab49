/** The machine and its runners: what is ready, what is missing, and what to do about it. */
import { useQuery } from "@tanstack/react-query";
import type { Runner } from "@/api/types";
import { runnersQuery } from "@/features/runners/queries";
import { Badge } from "@/ui/Badge";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";

export function SystemPage() {
  const runners = useQuery(runnersQuery);
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 p-4 sm:p-6">
      <h1 className="label text-base">System</h1>
      <Panel title="Runners" flush>
        {runners.isPending && (
          <div className="p-4">
            <Loading />
          </div>
        )}
        {runners.isError && <ErrorState error={runners.error} onRetry={() => void runners.refetch()} />}
        {runners.data?.map((runner) => (
          <RunnerRow key={runner.id} runner={runner} />
        ))}
      </Panel>
    </div>
  );
}

function RunnerRow({ runner }: { runner: Runner }) {
  return (
    <div className="flex flex-col gap-1.5 border-b px-4 py-3 last:border-0">
      <div className="flex flex-wrap items-center gap-2">
        <span className="font-medium">{runner.name}</span>
        <Badge tone={runner.ready ? "good" : "warn"}>{runner.ready ? "ready" : "not ready"}</Badge>
        <span className="figures ml-auto text-xs text-ink-3">
          {runner.algorithms.map((a) => a.name).join(" · ")}
        </span>
      </div>
      <p className="text-sm text-ink-2">{runner.description}</p>
      {runner.problems.map((problem) => (
        <p key={problem.module} className="text-sm text-warn">
          {problem.module} is missing. {problem.remedy}
        </p>
      ))}
    </div>
  );
}
