/** The best checkpoint for others: as a package, on the Hub, or as a file of another library. */

import { useQuery } from "@tanstack/react-query";
import type { Artifact, NewExport, Run } from "@/api/types";
import { useExportModel } from "@/entities/artifacts/use-artifact-actions";
import { testedCheckpoint, useCheckpoints } from "@/entities/artifacts/use-checkpoints";
import { useDownloadPackage } from "@/entities/hub/use-package";
import { runnersQuery } from "@/entities/runners/queries";
import { keysOf } from "@/lib/keys-of";
import { Button } from "@/ui/Button";
import { Panel } from "@/ui/Panel";

const FORMATS: Record<NewExport["format"], string> = {
  sb3: "Download model.zip (SB3)",
  onnx: "Download ONNX",
};

export interface ExportPanelProps {
  run: Run;
  /** Undefined where the lab cannot package the run's checkpoints. */
  onPush?: (checkpoint: Artifact) => void;
}

export function ExportPanel({ run, onPush }: ExportPanelProps) {
  const runners = useQuery(runnersQuery);
  const wanted = run.config.kind === "train" ? run.config.runner : "";
  const offered = runners.data?.find((runner) => runner.id === wanted)?.capabilities.exports ?? [];
  const formats = keysOf(FORMATS).filter((format) => offered.includes(format));
  const exporting = useExportModel(run.id);
  const packing = useDownloadPackage();
  const best = testedCheckpoint(useCheckpoints(run.id).list, null);
  if (!best || (formats.length === 0 && !onPush)) return null;
  return (
    <Panel title="Export the model">
      <div className="flex flex-wrap items-center gap-2">
        {onPush && (
          <>
            <Button icon="download" disabled={packing.isPending} onClick={() => packing.mutate(best.id)}>
              {packing.isPending ? "Packaging…" : "Download package"}
            </Button>
            <Button icon="up" onClick={() => onPush(best)}>
              Push to the Hub…
            </Button>
          </>
        )}
        {formats.map((format) => (
          <Button key={format} disabled={exporting.isPending} onClick={() => exporting.mutate(format)}>
            {exporting.isPending && exporting.variables === format ? "Exporting…" : FORMATS[format]}
          </Button>
        ))}
        <p className="text-xs text-ink-2">
          The best checkpoint; it acts the same as here. A package holds card, licence and an example.
        </p>
      </div>
    </Panel>
  );
}
