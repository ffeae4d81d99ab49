/** A config.json dropped on the list starts the same training again. */
import { useNavigate } from "@tanstack/react-router";
import type { NewRun } from "@/api/types";
import { useStart } from "@/entities/runs/use-start";
import { configDrop } from "@/panels/config-drop/config-drop";
import { toastProblem } from "@/ui/toasts";

export function useStartDropped() {
  const navigate = useNavigate();
  const start = useStart(
    (run) => void navigate({ to: "/runs/$runId", params: { runId: run.id } }),
    toastProblem,
  );
  return configDrop((config) => start.mutate({ ...config, start: true } as NewRun));
}
