/** ANALYSIS & EXPLAINER: what the policy does according to the numbers, and the report. */

import { useQuery } from "@tanstack/react-query";
import { mediaAddress } from "@/api/addresses";
import type { Run } from "@/api/types";
import { insightsQuery } from "@/entities/insights/queries";
import { startDownload } from "@/lib/download";
import { Button } from "@/ui/Button";
import { Menu } from "@/ui/Menu";
import { Panel } from "@/ui/Panel";
import { EmptyState, ErrorState, Loading } from "@/ui/states";
import { InsightList } from "./InsightList";

export function Analysis({ run, className }: { run: Run | undefined; className?: string }) {
  const runId = run?.id ?? null;
  const insights = useQuery(insightsQuery(runId));
  const found = insights.data ?? [];
  return (
    <Panel
      title="Analysis & explainer"
      caps
      data-tour="analysis"
      className={className}
      flush
      scroll="Analysis"
      footer={<ReportButton runId={runId} />}
    >
      <div className="p-4">
        {run && found.length > 0 && (
          <>
            <h3 className="caps mb-3 text-ink-3">Policy behavior detected</h3>
            <InsightList run={run} insights={found} />
          </>
        )}
        {run && insights.isPending && <Loading lines={5} />}
        {insights.isError && <ErrorState error={insights.error} onRetry={() => void insights.refetch()} />}
        {(!run || (insights.isSuccess && found.length === 0)) && (
          <EmptyState title="Nothing to explain yet">
            {run
              ? "After the first episodes, the lab describes what the policy does and how certain it is."
              : "Train an agent first. The lab then analyses its curves."}
          </EmptyState>
        )}
      </div>
    </Panel>
  );
}

function ReportButton({ runId }: { runId: string | null }) {
  const open = (format: string) => () => void window.open(reportOf(runId!, format), "_blank", "noopener");
  const trigger = (
    <Button
      icon="download"
      caps
      className="w-full"
      reason={runId ? null : "There is no run to report on. Train an agent first."}
    >
      Generate report
    </Button>
  );
  if (runId === null) return trigger;
  return (
    <Menu
      trigger={trigger}
      items={[
        { title: "Open as a page", icon: "link", run: open("html") },
        { title: "Save the page", icon: "download", run: () => save(runId, "html") },
        { title: "Save as text", icon: "download", run: () => save(runId, "text") },
        { title: "Save as JSON", icon: "download", run: () => save(runId, "json") },
      ]}
    />
  );
}

/** The lab names the file after the run. */
const save = (runId: string, format: string): void => startDownload(reportOf(runId, format));

const reportOf = (runId: string, format: string): string =>
  mediaAddress(`/api/runs/${runId}/report?format=${format}`);
