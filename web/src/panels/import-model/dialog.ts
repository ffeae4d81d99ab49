import type { DragEvent } from "react";
import { nameOf } from "@/entities/imports/queries";
import { createStore } from "@/lib/store";
import { toast } from "@/ui/toasts";

/** The files that were chosen or dropped; none: the dialog is closed. */
export const importDialog = createStore<{ files: readonly File[] }>({ files: [] });

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
    const { files } = event.dataTransfer;
    if (files.length === 0) return;
    // Left to the browser, a file would replace the page. What is no model is refused by the lab, with the reason.
    event.preventDefault();
    open(files);
  },
};

function open(chosen: ArrayLike<File>): void {
  const files = sendable(Array.from(chosen));
  if (files.length > 0) importDialog.set({ files });
  else toast("There is no model here: the folder is empty, or all its files are hidden.", { tone: "warn" });
}

/** Lets the user choose the files of a model, or a folder, then opens the dialog with them. */
export function chooseModel(kind: "files" | "folder" = "files"): void {
  const input = Object.assign(document.createElement("input"), { type: "file", multiple: true });
  input.webkitdirectory = kind === "folder";
  input.onchange = () => open(input.files ?? []);
  input.click();
}
