/** How two checkpoints differ, as the page shows it. Pure. */
import type { CheckpointDifference } from "@/api/types";
import { formatPercent, formatPlural } from "@/lib/format";

/** The settings that differ, as two configurations; one that a side does not have is absent there. */
export function configurationsOf({ configuration }: Pick<CheckpointDifference, "configuration">) {
  const side = (of: "first" | "second") =>
    Object.fromEntries(configuration.map((one) => [one.name, one[of] ?? undefined]));
  return { first: side("first"), second: side("second") };
}

/** The tensors that changed most first; those without a relative change last. */
export const byChange = (tensors: CheckpointDifference["tensors"]): CheckpointDifference["tensors"] =>
  [...tensors].sort((a, b) => (b.relative ?? -1) - (a.relative ?? -1));

/** In one sentence. */
export function weightsText(difference: CheckpointDifference): string {
  const { tensors, shapes, has_same_weights } = difference;
  if (has_same_weights) return "The weights are identical.";
  if (tensors.length === 0)
    return "No tensor has the same name and shape in both: these are different networks.";
  const [most] = byChange(tensors);
  const changed = tensors.filter(({ maximum }) => maximum !== 0).length;
  const largest =
    most?.relative == null
      ? ""
      : ` Most of all ${most.name}, by ${formatPercent(most.relative)} of its norm.`;
  const other =
    shapes.length === 0 ? "" : ` ${formatPlural(shapes.length, "tensor")} cannot be compared: other shapes.`;
  return `${changed} of ${formatPlural(tensors.length, "tensor")} differ.${largest}${other}`;
}
