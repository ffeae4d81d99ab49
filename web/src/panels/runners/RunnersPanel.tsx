/** All runners: what each offers, whether it is ready, and what to do when it is not. */
import { useQuery } from "@tanstack/react-query";
import { runnersQuery } from "@/entities/runners/queries";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";
import { RunnerRow } from "./RunnerRow";

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
      <div className="grid gap-px bg-line lg:grid-cols-2 lg:[&>*:last-child:nth-child(odd)]:col-span-2">
        {runners.data?.map((runner) => (
          <RunnerRow key={runner.id} runner={runner} />
        ))}
      </div>
    </Panel>
  );
}
