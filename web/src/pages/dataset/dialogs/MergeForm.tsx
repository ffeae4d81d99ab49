/** The episodes of several datasets of one environment, one behind the other. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Dataset, DatasetOperation, DatasetVersion } from "@/api/types";
import { datasetsQuery } from "@/entities/datasets/queries";
import { spell } from "@/entities/datasets/words";
import { formatPlural } from "@/lib/format";
import { nameProblem } from "@/panels/name-model/draft";
import { JobForm } from "@/panels/new-dataset/JobForm";
import { TextField } from "@/panels/text-field/TextField";
import type { OwnFormProps } from "./SplitForm";

export function MergeForm({ version, onClose }: OwnFormProps) {
  const datasets = useQuery(datasetsQuery).data ?? [];
  const [name, setName] = useState(`${version.name}-merged`);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const others = mergeable(datasets, version);
  const taken = others.filter((one) => chosen.has(spell(one)));
  const operation: DatasetOperation = {
    do: "merge",
    name: name.trim(),
    of: [version, ...taken].map((one) => ({ name: one.name, version: one.version })),
  };
  const toggle = (one: DatasetVersion) => {
    const next = new Set(chosen);
    if (!next.delete(spell(one))) next.add(spell(one));
    setChosen(next);
  };
  const reason = !name.trim()
    ? "Type a name first."
    : (nameProblem(name) ?? (taken.length === 0 ? "Choose at least one more." : null));
  return (
    <JobForm operation={operation} reason={reason} submit="Merge" onCancel={onClose} onStarted={onClose}>
      {(problems) => (
        <>
          <fieldset className="flex max-h-64 flex-col gap-1 overflow-y-auto">
            <legend className="mb-1 text-xs">{`Merge ${spell(version)} with`}</legend>
            {others.map((one) => (
              <label key={spell(one)} className="flex min-h-8 items-center gap-2.5 text-sm">
                <input
                  type="checkbox"
                  className="size-4 accent-ink"
                  checked={chosen.has(spell(one))}
                  onChange={() => toggle(one)}
                />
                {spell(one)}
                <span className="figures text-xs text-ink-3">{formatPlural(one.episodes, "episode")}</span>
              </label>
            ))}
            {others.length === 0 && (
              <p className="text-sm text-ink-2">
                {`There is no other dataset of ${version.env_id || "this environment"} with the same spaces.`}
              </p>
            )}
          </fieldset>
          {problems.of && <p className="text-xs text-warn">{problems.of}</p>}
          <TextField
            label="Name of the merged dataset"
            value={name}
            problem={nameProblem(name) ?? problems.name}
            onChange={setName}
          />
        </>
      )}
    </JobForm>
  );
}

/** Versions that can be joined: the newest of other datasets and the other versions of this one, with the same spaces. */
export function mergeable(datasets: readonly Dataset[], version: DatasetVersion): DatasetVersion[] {
  const spaces = (one: DatasetVersion) => JSON.stringify([one.observation_space, one.action_space]);
  return datasets
    .flatMap((dataset) => (dataset.name === version.name ? dataset.versions : dataset.versions.slice(0, 1)))
    .filter((one) => spell(one) !== spell(version))
    .filter((one) => one.env_id === version.env_id && spaces(one) === spaces(version));
}
