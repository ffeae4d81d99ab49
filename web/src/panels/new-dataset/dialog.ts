/** Whether the dialog of a new dataset is open, and what it begins with. */
import type { DragEvent } from "react";
import type { EpisodeChoice } from "@/api/types";
import { createStore } from "@/lib/store";

export type Way = "episodes" | "collect" | "import";

export interface NewDatasetStart {
  way?: Way;
  /** Episodes that were chosen elsewhere: in the table of runs, in a run, after a play. */
  choose?: EpisodeChoice;
  name?: string;
  /** A file that was dropped. */
  file?: File;
}

export const newDatasetDialog = createStore<NewDatasetStart | null>(null);

export const openNewDataset = (start: NewDatasetStart = {}): void => newDatasetDialog.set(start);

/** Properties of a page on which files of datasets can be dropped. */
export const datasetDrop = {
  onDragOver: (event: DragEvent) => event.preventDefault(),
  onDrop(event: DragEvent) {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    // Left to the browser, a file would replace the page. What is no dataset is refused by the lab, with the reason.
    event.preventDefault();
    openNewDataset({ way: "import", file });
  },
};
