/** Which checkpoint of a run plays: the best, one by name, or something else that a caller adds. */
import { choicesOf } from "@/entities/artifacts/checkpoints";
import type { Checkpoints } from "@/entities/artifacts/use-checkpoints";
import { type Option, Select } from "@/ui/Select";

export const BEST = "best";

export interface CheckpointSelectProps {
  label: string;
  checkpoints: Checkpoints;
  /** BEST, the id of a checkpoint, or the value of one of `others`. */
  value: string;
  others?: readonly Option<string>[];
  onChange: (value: string) => void;
}

export function CheckpointSelect({
  label,
  checkpoints,
  value,
  others = [],
  onChange,
}: CheckpointSelectProps) {
  const choices = choicesOf(checkpoints.list);
  return (
    <Select
      label={label}
      value={value}
      options={[
        { value: BEST, title: choices[0]?.isBest ? choices[0].title : "Best", reason: checkpoints.reason },
        ...choices.filter(({ isBest }) => !isBest).map(({ id, title }) => ({ value: id, title })),
        ...others,
      ]}
      onChange={onChange}
    />
  );
}
