/** TensorBoard and W&B for a run: buttons to open them, disabled with a reason where that is not possible. */

import { useQuery } from "@tanstack/react-query";
import { wandbQuery } from "@/entities/dashboards/queries";
import { useWriteEventFiles } from "@/entities/dashboards/use-dashboards";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { TensorboardButton } from "./TensorboardButton";

const UPLOAD = "text-xs text-ink-2";
const FAILED = "text-xs text-warn";

export function DashboardsPanel({ runId }: { runId: string }) {
  return (
    <Panel title="Other tools">
      <div className="flex flex-wrap items-center gap-2">
        <TensorboardButton runIds={[runId]} />
        <EventFilesButton runId={runId} />
        <WandbButton runId={runId} />
      </div>
    </Panel>
  );
}

function EventFilesButton({ runId }: { runId: string }) {
  const write = useWriteEventFiles(runId);
  return (
    <Button icon="download" disabled={write.isPending} onClick={() => write.mutate()}>
      {write.isPending ? "Writing…" : "Write event files"}
    </Button>
  );
}

function WandbButton({ runId }: { runId: string }) {
  const wandb = useQuery(wandbQuery(runId));
  const url = wandb.data?.url;
  const words = [wandb.data?.reason, wandb.data?.how].filter(Boolean).join(" ");
  return (
    <>
      <Button
        icon="link"
        reason={url ? null : words || "Waiting for the lab."}
        onClick={() => url && window.open(url, "_blank", "noopener,noreferrer")}
      >
        Open in W&B
      </Button>
      {url && <span className={UPLOAD}>{wandb.data?.url_text}</span>}
      {wandb.data && wandb.data.upload !== "none" && (
        <span role="status" className={wandb.data.upload === "failed" ? FAILED : UPLOAD}>
          {`W&B: ${wandb.data.upload_text}`}
        </span>
      )}
    </>
  );
}
