/** A config.json dropped on the page starts the same training again; anything else is a folder to adopt. */
import { useNavigate } from "@tanstack/react-router";
import type { DragEvent } from "react";
import type { NewRun } from "@/api/types";
import { useStart } from "@/entities/runs/use-start";
import { dropProps } from "@/panels/adopt-dialog/drop";
import { toast, toastProblem } from "@/ui/toasts";

export function useConfigDrop(): typeof dropProps {
  const navigate = useNavigate();
  const start = useStart(
    (run) => void navigate({ to: "/runs/$runId", params: { runId: run.id } }),
    toastProblem,
  );
  return {
    ...dropProps,
    onDrop(event: DragEvent) {
      const file = event.dataTransfer.files[0];
      if (!file?.name.endsWith(".json")) return dropProps.onDrop(event);
      event.preventDefault();
      void file.text().then((text) => {
        const config = configIn(text);
        if (config) start.mutate(config);
        else toast(`“${file.name}” is not the configuration of a training.`, { tone: "warn" });
      });
    },
  };
}

/** The settings of an exported config.json, to start at once; null when the text is something else. */
export function configIn(text: string): NewRun | null {
  try {
    const found: unknown = JSON.parse(text);
    const isConfig = typeof found === "object" && found !== null && "algorithm" in found;
    return isConfig ? ({ ...found, start: true } as unknown as NewRun) : null;
  } catch {
    return null;
  }
}
