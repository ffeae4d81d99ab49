/** Which checkpoint of a run plays: the best, one by name, or something else that a caller adds. */
import type { Checkpoints } from "@/entities/artifacts/use-checkpoints";
import { formatCount } from "@/lib/format";
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
  return (
    <Select
      label={label}
      value={value}
      options={[
        { value: BEST, title: "Best checkpoint", reason: checkpoints.reason },
        ...checkpoints.list.map((artifact) => ({
          value: artifact.id,
          title: `Step ${formatCount(artifact.timestep)}${artifact.role ? ` · ${artifact.role}` : ""}`,
        })),
        ...others,
      ]}
      onChange={onChange}
    />
  );
}
