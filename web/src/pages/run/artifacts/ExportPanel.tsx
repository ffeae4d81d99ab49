/** The best checkpoint as a file of another library, where the run's runner can write one. */

import { useQuery } from "@tanstack/react-query";
import type { NewExport, Run } from "@/api/types";
import { useExportModel } from "@/entities/artifacts/use-artifact-actions";
import { runnersQuery } from "@/entities/runners/queries";
import { keysOf } from "@/lib/keys-of";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";

const FORMATS: Record<NewExport["format"], string> = {
  sb3: "Download model.zip (SB3)",
  onnx: "Download ONNX",
};

export function ExportPanel({ run }: { run: Run }) {
  const runners = useQuery(runnersQuery);
  const wanted = run.config.kind === "train" ? run.config.runner : "";
  const offered = runners.data?.find((runner) => runner.id === wanted)?.capabilities.exports ?? [];
  const formats = keysOf(FORMATS).filter((format) => offered.includes(format));
  const exporting = useExportModel(run.id);
  if (formats.length === 0) return null;
  return (
    <Panel title="Export the model">
      <div className="flex flex-wrap items-center gap-2">
        {formats.map((format) => (
          <Button key={format} disabled={exporting.isPending} onClick={() => exporting.mutate(format)}>
            {exporting.isPending && exporting.variables === format ? "Exporting…" : FORMATS[format]}
          </Button>
        ))}
        <p className="text-xs text-ink-2">
          Exports the best checkpoint; the exported model acts the same as here.
        </p>
      </div>
    </Panel>
  );
}
