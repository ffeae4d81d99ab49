/** What a training comes from, and what came from it. */
import { useQuery } from "@tanstack/react-query";
import { lineageQuery } from "@/entities/lineage/queries";
import { Panel } from "@/ui/Panel";
import { ErrorState, Loading } from "@/ui/states";
import { LineagePicture } from "./LineagePicture";

export function LineagePanel({ runId }: { runId: string }) {
  const lineage = useQuery(lineageQuery(runId));
  return (
    <Panel title="Lineage" flush>
      {lineage.isPending && (
        <div className="p-4">
          <Loading lines={3} />
        </div>
      )}
      {lineage.isError && <ErrorState error={lineage.error} onRetry={() => void lineage.refetch()} />}
      {lineage.data && <LineagePicture lineage={lineage.data} />}
    </Panel>
  );
}
