/** The result of an evaluation or a fork: numbers, video, and a link to its episodes. */
import { useQuery } from "@tanstack/react-query";
import { addressOf, artifactsQuery, downloadOf } from "@/entities/artifacts/queries";
import { summaryOf } from "@/entities/results/results";
import { isLive } from "@/entities/runs/status";
import { SummaryFacts } from "@/panels/evaluation/SummaryFacts";
import { shortText } from "@/panels/replay/thoughts";
import { Stage } from "@/panels/stage/Stage";
import { VideoPlayer } from "@/panels/video/VideoPlayer";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { EmptyState } from "@/ui/states";
import type { TabProps } from "./tab";

export function ChildResult({ run, onSearch }: TabProps) {
  const files = useQuery({ ...artifactsQuery(run.id), enabled: !isLive(run) });
  const video = files.data?.find((file) => file.kind === "video");
  const summary = summaryOf(run.summary.result);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      {isLive(run) && (
        <Panel title="Live" flush>
          <Stage
            path={`/api/runs/${run.id}/frames`}
            label="Live feed"
            placeholder="The first frame appears with the first step."
          />
        </Panel>
      )}
      {video && (
        <Panel title="Video" flush>
          <VideoPlayer src={addressOf(video)} download={downloadOf(video)} label="Video of the evaluation" />
        </Panel>
      )}
      <Panel
        title="Result"
        actions={
          <Button small kind="quiet" icon="play" onClick={() => onSearch({ tab: "episodes" }, true)}>
            Step through
          </Button>
        }
      >
        {summary ? <SummaryFacts summary={summary} /> : <PlainResult result={run.summary.result} />}
      </Panel>
    </div>
  );
}

function PlainResult({ result }: { result: unknown }) {
  const entries = Object.entries((result ?? {}) as Record<string, unknown>);
  if (entries.length === 0)
    return <EmptyState title="No result yet">It appears when the run has ended.</EmptyState>;
  return (
    <dl className="text-sm">
      {entries.map(([name, value]) => (
        <div key={name} className="flex justify-between gap-4 border-b py-1 last:border-0">
          <dt className="text-ink-2">{name.replaceAll("_", " ")}</dt>
          <dd className="figures text-xs leading-5">{shortText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
