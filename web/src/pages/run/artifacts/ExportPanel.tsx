/** The newest checkpoint as a file of another library, where the run's runner can write one. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, data } from "@/api/client";
import type { Run } from "@/api/types";
import { addressOf, artifactsQuery } from "@/entities/artifacts/queries";
import { runnersQuery } from "@/entities/runners/queries";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";
import { toast, toastProblem } from "@/ui/toasts";

const FORMS: Record<string, string> = { sb3: "SB3 .zip", onnx: "ONNX" };

export function ExportPanel({ run }: { run: Run }) {
  const runners = useQuery(runnersQuery);
  const wanted = run.config.kind === "train" ? run.config.runner : "";
  const forms = runners.data?.find((runner) => runner.id === wanted)?.capabilities.exports ?? [];
  const client = useQueryClient();
  const exporting = useMutation({
    mutationFn: (form: string) =>
      data(
        api.POST("/api/runs/{run_id}/exports", {
          params: { path: { run_id: run.id } },
          body: { format: form as "sb3" | "onnx" },
        }),
      ),
    onSuccess: (made) => {
      void client.invalidateQueries({ queryKey: artifactsQuery(run.id).queryKey });
      toast(`${made.title} exported.`, { link: { title: "Download", href: addressOf(made) } });
    },
    onError: toastProblem,
  });
  if (forms.length === 0) return null;
  return (
    <Panel title="Use the model elsewhere">
      <div className="flex flex-wrap items-center gap-2">
        {forms.map((form) => (
          <Button key={form} disabled={exporting.isPending} onClick={() => exporting.mutate(form)}>
            {exporting.isPending && exporting.variables === form ? "Exporting…" : (FORMS[form] ?? form)}
          </Button>
        ))}
        <p className="text-xs text-ink-2">The newest checkpoint, acting as it does here.</p>
      </div>
    </Panel>
  );
}
