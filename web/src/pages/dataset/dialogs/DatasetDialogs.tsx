/** The dialogs of a dataset's page; one is open at a time. */
import type { Dataset, DatasetVersion, Run } from "@/api/types";
import { spell } from "@/entities/datasets/words";
import { Dialog } from "@/ui/Dialog";
import type { Asked } from "./asked";
import { DeleteForm } from "./DeleteForm";
import { KeepForm, RenameForm, TextsForm } from "./EditForms";
import { ExportForm } from "./ExportForm";
import { MergeForm } from "./MergeForm";
import { PruneForm } from "./PruneForm";
import { SplitForm } from "./SplitForm";

export interface DatasetDialogsProps {
  dataset: Dataset;
  version: DatasetVersion;
  jobs: readonly Run[];
  asked: Asked | null;
  onClose: () => void;
  onRenamed: (name: string) => void;
  onDeleted: (version: number | null) => void;
}

export function DatasetDialogs({
  dataset,
  version,
  jobs,
  asked,
  onClose,
  onRenamed,
  onDeleted,
}: DatasetDialogsProps) {
  const own = { version, onClose };
  return (
    <Dialog
      open={asked !== null}
      onOpenChange={onClose}
      title={asked ? titleOf(asked, dataset, version) : ""}
    >
      {asked?.kind === "export" && <ExportForm {...own} jobs={jobs} />}
      {asked?.kind === "split" && <SplitForm {...own} />}
      {asked?.kind === "merge" && <MergeForm {...own} />}
      {asked?.kind === "prune" && <PruneForm {...own} />}
      {asked?.kind === "rename" && <RenameForm dataset={dataset} onClose={onClose} onRenamed={onRenamed} />}
      {asked?.kind === "keep" && <KeepForm dataset={dataset} onClose={onClose} />}
      {asked?.kind === "texts" && (
        <TextsForm
          version={dataset.versions.find((one) => one.version === asked.version) ?? version}
          onClose={onClose}
        />
      )}
      {asked?.kind === "delete" && (
        <DeleteForm dataset={dataset} version={asked.version} onClose={onClose} onDeleted={onDeleted} />
      )}
    </Dialog>
  );
}

function titleOf(asked: Asked, { name }: Dataset, version: DatasetVersion): string {
  switch (asked.kind) {
    case "export":
      return `Export ${spell(version)}`;
    case "split":
      return `Split ${spell(version)}`;
    case "merge":
      return `Merge ${spell(version)} with others`;
    case "prune":
      return `Prune ${spell(version)}`;
    case "rename":
      return `Rename ${name}`;
    case "keep":
      return `Versions of ${name} to keep`;
    case "texts":
      return `Licence and source of ${spell({ name, version: asked.version })}`;
    case "delete":
      return `Delete ${spell({ name, version: asked.version })}?`;
  }
}
