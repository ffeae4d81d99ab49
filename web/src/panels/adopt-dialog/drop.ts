/** Dropping a path anywhere on a page opens the dialog with it; anything else shows the reason as a toast. */
import type { DragEvent } from "react";
import { toast } from "@/ui/toasts";
import { adoptDialog } from "./dialog";
import { pathOf } from "./dropped";

export const dropProps = {
  onDragOver: (event: DragEvent) => event.preventDefault(),
  onDrop(event: DragEvent) {
    event.preventDefault();
    const { path, reason } = droppedPath(event);
    if (path) adoptDialog.set({ isOpen: true, folder: path });
    else if (reason) toast(reason, { tone: "warn" });
  },
};

export function droppedPath({ dataTransfer: given }: DragEvent) {
  return pathOf(given.getData("text/plain"), given.getData("text/uri-list"), given.files[0]?.name);
}
