/** Rename a dataset; how many versions are kept; licence and source of a version. */
import { type FormEvent, type ReactNode, useState } from "react";
import type { Dataset, DatasetVersion } from "@/api/types";
import { problemsOf } from "@/entities/datasets/problems";
import { usePatchDataset, usePatchDatasetVersion } from "@/entities/datasets/use-dataset-actions";
import { formatPlural } from "@/lib/format";
import { nameProblem } from "@/panels/name-model/draft";
import { numberOf, numberProblem } from "@/panels/new-dataset/numbers";
import { FormButtons } from "@/panels/text-field/FormButtons";
import { TextField } from "@/panels/text-field/TextField";
import { ProblemNote } from "@/ui/states";

interface RenameFormProps {
  dataset: Dataset;
  onClose: () => void;
  onRenamed: (name: string) => void;
}

export function RenameForm({ dataset, onClose, onRenamed }: RenameFormProps) {
  const [name, setName] = useState(dataset.name);
  const patch = usePatchDataset(dataset.name);
  const problems = problemsOf(patch.error);
  const typed = name.trim();
  const submit = () => {
    if (typed === dataset.name) return onClose();
    patch.mutate(
      { name: typed },
      {
        onSuccess: () => {
          onRenamed(typed);
          onClose();
        },
      },
    );
  };
  return (
    <Form
      isDisabled={typed === "" || Boolean(nameProblem(name)) || patch.isPending}
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextField label="Name" value={name} problem={nameProblem(name) ?? problems.name} onChange={setName} />
      <p className="-mt-2 text-xs text-ink-3">
        Trainings that learned from it keep their link: they know the contents by their hash.
      </p>
      {!problems.name && <ProblemNote error={patch.error} />}
    </Form>
  );
}

export function KeepForm({ dataset, onClose }: { dataset: Dataset; onClose: () => void }) {
  const [keep, setKeep] = useState(dataset.keep == null ? "" : String(dataset.keep));
  const patch = usePatchDataset(dataset.name);
  const problem = numberProblem(keep, "count") ?? problemsOf(patch.error).keep;
  const wanted = numberOf(keep);
  const removed = wanted === null ? 0 : removedBy(dataset, wanted);
  return (
    <Form
      isDisabled={Boolean(numberProblem(keep, "count")) || patch.isPending}
      onSubmit={() => patch.mutate({ keep: wanted }, { onSuccess: onClose })}
      onCancel={onClose}
    >
      <TextField
        label="Newest versions to keep; empty: all of them"
        value={keep}
        placeholder="all"
        problem={problem}
        onChange={setKeep}
      />
      <p className="-mt-2 text-xs text-ink-3">
        {removed > 0
          ? `${formatPlural(removed, "older version")} will be deleted now. Pinned ones and those that a training learned from stay.`
          : "Pinned versions and those that a training learned from always stay."}
      </p>
      {!problem && <ProblemNote error={patch.error} />}
    </Form>
  );
}

/** Versions that are not among the newest, not pinned, and that no training learned from. */
export const removedBy = ({ versions }: Pick<Dataset, "versions">, keep: number): number =>
  versions.slice(keep).filter(({ pinned, learned_by }) => !pinned && !learned_by).length;

export function TextsForm({ version, onClose }: { version: DatasetVersion; onClose: () => void }) {
  const [licence, setLicence] = useState(version.licence);
  const [source, setSource] = useState(version.source);
  const patch = usePatchDatasetVersion(version.name);
  const problems = problemsOf(patch.error);
  return (
    <Form
      isDisabled={patch.isPending}
      onSubmit={() =>
        patch.mutate(
          { version: version.version, patch: { licence: licence.trim(), source: source.trim() } },
          { onSuccess: onClose },
        )
      }
      onCancel={onClose}
    >
      <TextField
        label="Licence"
        value={licence}
        placeholder="CC-BY-4.0"
        problem={problems.licence}
        onChange={setLicence}
      />
      <TextField
        label="Source: where it comes from, how it was made"
        value={source}
        problem={problems.source}
        onChange={setSource}
      />
    </Form>
  );
}

interface FormProps {
  isDisabled: boolean;
  onSubmit: () => void;
  onCancel: () => void;
  children: ReactNode;
}

function Form({ isDisabled, onSubmit, onCancel, children }: FormProps) {
  return (
    <form
      className="flex flex-col gap-4 p-5"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        if (!isDisabled) onSubmit();
      }}
    >
      {children}
      <FormButtons isDisabled={isDisabled} onCancel={onCancel} />
    </form>
  );
}
