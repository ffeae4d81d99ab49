/** A config.json dropped on the list, or chosen as a file, starts the same training again; a dropped pack is shown. */
import { useNavigate } from "@tanstack/react-router";
import type { DragEvent } from "react";
import type { NewRun } from "@/api/types";
import type { FileConfig } from "@/entities/runs/config-file";
import { useStart } from "@/entities/runs/use-start";
import { configDrop, pickConfig } from "@/panels/config-drop/config-drop";
import { isPack, packDialog } from "@/panels/pack-dialog/dialog";
import { toastProblem } from "@/ui/toasts";

export function useStartDropped() {
  const navigate = useNavigate();
  const start = useStart(
    (run) => void navigate({ to: "/runs/$runId", params: { runId: run.id } }),
    toastProblem,
  );
  const use = (config: FileConfig) => start.mutate({ ...config, start: true } as NewRun);
  return { drop: packDrop(configDrop(use)), pick: () => pickConfig(use) };
}

/** The same properties, but a pack opens its dialog. */
const packDrop = (others: ReturnType<typeof configDrop>): typeof others => ({
  ...others,
  onDrop(event: DragEvent) {
    const file = event.dataTransfer.files[0];
    if (!file || !isPack(file)) return others.onDrop(event);
    event.preventDefault();
    packDialog.set({ file });
  },
});
