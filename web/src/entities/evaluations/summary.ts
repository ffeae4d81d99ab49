/** An evaluation's result as the lab wrote it; fields of newer or older labs may be missing. Pure. */

export interface Summary {
  episodes: number;
  return_mean: number;
  return_std: number;
  return_min: number;
  return_max: number;
  return_median: number;
  return_ci: [number, number];
  length_mean: number;
  terminated: number;
  truncated: number;
  success_threshold: number | null;
  successes: number | null;
  seeds: number[];
  returns: number[];
  lengths: number[];
  checkpoint: string;
  checkpoint_timestep: number | null;
  video_problem: string | null;
}

/** Null for what is no summary. */
export function summaryOf(result: unknown): Summary | null {
  const found = result as Partial<Summary> | null | undefined;
  return typeof found?.return_mean === "number" && Array.isArray(found.returns) ? (found as Summary) : null;
}

export interface DuelSide {
  run_id: string;
  label: string;
  summary: Summary;
  wins: number;
}

export interface PairedDifference {
  first: string;
  second: string;
  mean: number;
  ci: [number, number];
  wins_first: number;
  wins_second: number;
  ties: number;
}

export interface DuelResult {
  env_id: string;
  seeds: number[];
  sides: DuelSide[];
  differences: PairedDifference[];
}

export function duelOf(result: unknown): DuelResult | null {
  const found = result as Partial<DuelResult> | null | undefined;
  return Array.isArray(found?.sides) && Array.isArray(found.differences) ? (found as DuelResult) : null;
}

/** What an interval says about the difference: only one that leaves zero out decides. */
export function verdictOf(difference: PairedDifference): "first" | "second" | "open" {
  if (difference.ci[0] > 0) return "first";
  return difference.ci[1] < 0 ? "second" : "open";
}
