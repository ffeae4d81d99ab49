/** The dataset that the replay buffer of a learner begins with; none unless one is chosen. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { datasetsQuery } from "@/entities/datasets/queries";
import { spell } from "@/entities/datasets/words";
import { formatCount } from "@/lib/format";
import type { TrainingFormProps } from "@/pages/lab/configure/form-props";
import { Select } from "@/ui/Select";
import { chosenVersion, prefillVersions } from "./choices";

const LABEL = "Replay buffer begins with";

export default function PrefillChoice({ state, draft, errors }: TrainingFormProps) {
  const id = useId();
  const datasets = useQuery(datasetsQuery).data ?? [];
  const chosen = chosenVersion(datasets, draft.dataset);
  const offered = prefillVersions(datasets, draft.envId, draft.offer);
  const isListed = offered.some((one) => chosen && spell(one) === spell(chosen));
  const versions = chosen && !isListed ? [chosen, ...offered] : offered;
  if (versions.length === 0 && !draft.dataset) return null;
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <label htmlFor={id}>{LABEL}</label>
      <Select
        id={id}
        label={LABEL}
        value={chosen ? spell(chosen) : draft.dataset}
        options={[
          { value: "", title: "nothing" },
          ...(draft.dataset && !chosen ? [{ value: draft.dataset, title: draft.dataset }] : []),
          ...versions.map((one) => ({
            value: spell(one),
            title: `${spell(one)}, ${formatCount(one.transitions)} steps`,
          })),
        ]}
        invalid={errors.dataset !== undefined}
        onChange={(value) => state.setDataset(value, "")}
      />
      {errors.dataset && (
        <p role="alert" className="text-xs text-warn">
          {errors.dataset.message}
        </p>
      )}
    </div>
  );
}
