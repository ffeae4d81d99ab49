import type { DragEvent } from "react";
import { nameOf } from "@/entities/imports/queries";
import { createStore } from "@/lib/store";

/** The files that were chosen or dropped; none: the dialog is closed. */
export const importDialog = createStore<{ files: readonly File[] }>({ files: [] });

const MODELS = /\.(zip|safetensors|onnx|pt|pth|cleanrl_model)$/i;

/** Whether a dropped file may be a model; the lab decides by its contents. */
export const mayBeModel = (file: File): boolean => MODELS.test(file.name);

/** Hidden files of a folder, such as those of git, are not sent. */
export const sendable = (files: readonly File[]): File[] =>
  files.filter(
    (file) =>
      !nameOf(file)
        .split("/")
        .some((part) => part.startsWith(".")),
  );

/** Properties of a page on which models can be dropped. */
export const modelDrop = {
  onDragOver: (event: DragEvent) => event.preventDefault(),
  onDrop(event: DragEvent) {
    const files = sendable([...event.dataTransfer.files]);
    if (!files.some(mayBeModel)) return;
    event.preventDefault();
    importDialog.set({ files });
  },
};

/** Lets the user choose the files of a model, or a folder, then opens the dialog with them. */
export function chooseModel(kind: "files" | "folder" = "files"): void {
  const input = Object.assign(document.createElement("input"), { type: "file", multiple: true });
  input.webkitdirectory = kind === "folder";
  input.onchange = () => importDialog.set({ files: sendable([...(input.files ?? [])]) });
  input.click();
}
