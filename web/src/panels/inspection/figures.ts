/** The figures of an inspection as text and as lengths. Pure. */
import type { Inspection } from "@/api/types";
import { formatCount, formatNumber, formatPercent, formatPlural } from "@/lib/format";

export interface NumberTable {
  heads: readonly string[];
  rows: readonly (readonly string[])[];
}

const n = (value: number | null | undefined): string => formatNumber(value, 4);

export function weightsTable({ weights }: Pick<Inspection, "weights">): NumberTable {
  return {
    heads: ["Tensor", "Shape", "Norm", "Mean", "Std", "Lowest", "Highest", "Zeros"],
    rows: weights.map((one) => [
      one.name,
      shapeText(one.shape),
      n(one.norm),
      n(one.mean),
      n(one.std),
      n(one.minimum),
      n(one.maximum),
      formatPercent(one.zeros, 1),
    ]),
  };
}

export function activationsTable({ activations }: Pick<Inspection, "activations">): NumberTable {
  return {
    heads: ["Layer", "Function", "Units", "Mean", "Std", "Lowest", "Highest", "Dead", "Saturated"],
    rows: activations.map((one) => [
      one.name,
      one.activation ?? "linear",
      formatCount(one.units),
      n(one.mean),
      n(one.std),
      n(one.minimum),
      n(one.maximum),
      formatPercent(one.dead, 1),
      formatPercent(one.saturated, 1),
    ]),
  };
}

export function gradientsTable({ gradients }: Pick<Inspection, "gradients">): NumberTable {
  return {
    heads: ["Tensor", "Shape", "Norm", "Norm of the weights", "Ratio", "Largest"],
    rows: gradients.map((one) => [
      one.name,
      shapeText(one.shape),
      n(one.norm),
      n(one.weight_norm),
      n(one.ratio),
      n(one.maximum),
    ]),
  };
}

type Surface = NonNullable<Inspection["loss_surface"]>;

/** One row for each distance along the second direction, the largest first: as in the picture. */
export function surfaceTable({ steps, values }: Surface): NumberTable {
  return {
    heads: ["Second \\ first", ...steps.map(n)],
    rows: steps.map((step, row) => [n(step), ...(values[row] ?? []).map(n)]).reverse(),
  };
}

/** "4 × 64". */
export const shapeText = (shape: readonly number[]): string =>
  shape.length === 0 ? "1 value" : shape.map(String).join(" × ");

/** "1,024 steps in CartPole-v1, 9 episodes, seed 0, sampled actions". */
export function batchText(batch: Inspection["batch"]): string | null {
  if (!batch) return null;
  const { steps, env_id, episodes, seed, policy } = batch;
  return `${formatPlural(steps, "step")} in ${env_id}, ${formatPlural(episodes, "episode")} ended, seed ${seed}, ${policy}`;
}

/** Lengths from 0 to 1 on a logarithmic scale: the smallest positive value is still seen. */
export function logShares(values: readonly (number | null | undefined)[]): number[] {
  const positive = values.filter((value): value is number => value != null && value > 0);
  if (positive.length === 0) return values.map(() => 0);
  const [low, high] = [Math.log(Math.min(...positive)), Math.log(Math.max(...positive))];
  const least = 0.06;
  return values.map((value) => {
    if (value == null || value <= 0) return 0;
    return high === low ? 1 : least + (1 - least) * ((Math.log(value) - low) / (high - low));
  });
}

/** Where the surface is lowest, and by how much lower than at the checkpoint. */
export function lowestText(surface: Surface): string {
  const { centre, minimum, maximum } = surface;
  const range = `The loss is ${n(centre)} at the checkpoint, and from ${n(minimum)} to ${n(maximum)} around it.`;
  if (centre == null || minimum == null) return range;
  return minimum < centre
    ? `${range} It is lower elsewhere: along these directions, on these steps, the checkpoint is not at a minimum.`
    : `${range} It is lowest at the checkpoint.`;
}
