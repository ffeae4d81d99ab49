/** The newest checkpoint as a file of another library, where the run's runner can write one. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { NewExport, Run } from "@/api/types";
import { addressOf } from "@/entities/artifacts/queries";
import { refresh } from "@/entities/live-refresh";
import { keys } from "@/entities/query-keys";
import { runnersQuery } from "@/entities/runners/queries";
import { keysOf } from "@/lib/keys-of";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { toast, toastProblem } from "@/ui/toasts";

const FORMATS: Record<NewExport["format"], string> = { sb3: "SB3 .zip", onnx: "ONNX" };

export function ExportPanel({ run }: { run: Run }) {
  const runners = useQuery(runnersQuery);
  const wanted = run.config.kind === "train" ? run.config.runner : "";
  const offered = runners.data?.find((runner) => runner.id === wanted)?.capabilities.exports ?? [];
  const formats = keysOf(FORMATS).filter((format) => offered.includes(format));
  const client = useQueryClient();
  const exporting = useMutation({
    mutationFn: (format: NewExport["format"]) =>
      data(
        api.POST("/api/runs/{run_id}/exports", {
          params: { path: { run_id: run.id } },
          body: { format },
        }),
      ),
    onSuccess: (made) => {
      void refresh(client, keys.artifacts(run.id));
      toast(`${made.title} exported.`, { link: { title: "Download", href: addressOf(made) } });
    },
    onError: toastProblem,
  });
  if (formats.length === 0) return null;
  return (
    <Panel title="Use the model elsewhere">
      <div className="flex flex-wrap items-center gap-2">
        {formats.map((format) => (
          <Button key={format} disabled={exporting.isPending} onClick={() => exporting.mutate(format)}>
            {exporting.isPending && exporting.variables === format ? "Exporting…" : FORMATS[format]}
          </Button>
        ))}
        <p className="text-xs text-ink-2">The newest checkpoint, acting as it does here.</p>
      </div>
    </Panel>
  );
}
