/** A config.json dropped on a page gives the settings of a training; a path as text is a folder to adopt. */
import type { DragEvent } from "react";
import type { FileConfig } from "@/entities/runs/config-file";
import { chunk } from "@/lib/chunks";
import { dropProps, droppedPath } from "@/panels/adopt-dialog/drop";
import { toast } from "@/ui/toasts";

const reader = chunk(() => import("@/entities/runs/config-file"));

/** Properties of the element on which files are dropped; `use` gets the settings and the name of the file. */
export function configDrop(use: (config: FileConfig, fileName: string) => void): typeof dropProps {
  return {
    ...dropProps,
    onDrop(event: DragEvent) {
      const file = event.dataTransfer.files[0];
      if (!file || isToAdopt(event, file)) return dropProps.onDrop(event);
      event.preventDefault();
      void read(file, use);
    },
  };
}

/** Asks for a file, for those who do not drag; the same as dropping it. */
export function pickConfig(use: (config: FileConfig, fileName: string) => void): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = ".json,application/json";
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file) void read(file, use);
  });
  input.click();
}

async function read(file: File, use: (config: FileConfig, fileName: string) => void): Promise<void> {
  const { configIn, MAX_CONFIG_BYTES } = await reader();
  const isSmall = file.size <= MAX_CONFIG_BYTES;
  const { found, problem } = configIn(file.name, isSmall ? await file.text() : "");
  if (found) use(found, file.name);
  else toast(problem, { tone: "warn" });
}

/** Some browsers give the path of a file too, so the name counts first. */
const isToAdopt = (event: DragEvent, file: File): boolean =>
  !file.name.endsWith(".json") && (droppedPath(event).path !== null || isFolder(event));

const isFolder = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer.items?.[0]?.webkitGetAsEntry?.()?.isDirectory ?? false;
