/** TensorBoard and W&B beside the lab: open where they can be, greyed with the reason where they cannot. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { exportEventFiles, wandbQuery } from "@/entities/dashboards/queries";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { toast, toastProblem } from "@/ui/toasts";
import { TensorboardButton } from "./TensorboardButton";

export function DashboardsPanel({ runId }: { runId: string }) {
  return (
    <Panel title="Beside the lab">
      <div className="flex flex-wrap items-center gap-2">
        <TensorboardButton runIds={[runId]} />
        <EventFilesButton runId={runId} />
        <WandbButton runId={runId} />
      </div>
    </Panel>
  );
}

function EventFilesButton({ runId }: { runId: string }) {
  const client = useQueryClient();
  const write = useMutation({
    mutationFn: () => exportEventFiles(runId),
    onSuccess(made) {
      void refresh(client, keys.artifacts(runId), keys.tensorboard(runId));
      toast(`${made.title} written to ${made.path} in the run’s folder.`);
    },
    onError: toastProblem,
  });
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
    <Button
      icon="link"
      reason={url ? null : words || "The lab is being asked."}
      onClick={() => url && window.open(url, "_blank", "noopener")}
    >
      Open in W&B
    </Button>
  );
}
