/** A config.json dropped on the list, or chosen as a file, starts the same training again. */
import { useNavigate } from "@tanstack/react-router";
import type { NewRun } from "@/api/types";
import type { FileConfig } from "@/entities/runs/config-file";
import { useStart } from "@/entities/runs/use-start";
import { configDrop, pickConfig } from "@/panels/config-drop/config-drop";
import { toastProblem } from "@/ui/toasts";

export function useStartDropped() {
  const navigate = useNavigate();
  const start = useStart(
    (run) => void navigate({ to: "/runs/$runId", params: { runId: run.id } }),
    toastProblem,
  );
  const use = (config: FileConfig) => start.mutate({ ...config, start: true } as NewRun);
  return { drop: configDrop(use), pick: () => pickConfig(use) };
}
