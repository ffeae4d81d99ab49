/**
 * Results that OpenAPI describes only as objects. Until the API publishes models for them, their shapes are written in
 * this file and nowhere else; each interface is then replaced by the generated type of the same name.
 */

export interface EvaluationSummary {
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

export interface DuelSide {
  run_id: string;
  label: string;
  summary: EvaluationSummary;
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

export interface ForkResult {
  return: number;
  parent_return: number;
}

/** One line of a smoke test. */
export interface SmokeFinding {
  check: string;
  level: "ok" | "warning" | "problem";
  message: string;
  remarks?: string[];
}

export interface SmokeTest {
  env_id: string;
  version: string;
  findings: SmokeFinding[];
}

/** Whether an environment that is played twice with the same actions does the same. */
export interface Exactness {
  exact: boolean;
  note: string;
}

/** Null when `result` is not the summary of an evaluation. */
export function summaryOf(result: unknown): EvaluationSummary | null {
  return hasNumber(result, "return_mean") && hasList(result, "returns")
    ? (result as EvaluationSummary)
    : null;
}

/** Null when `result` is not the result of a duel. */
export function duelOf(result: unknown): DuelResult | null {
  return hasList(result, "sides") && hasList(result, "differences") ? (result as DuelResult) : null;
}

/** Null when `result` is not the result of a fork. */
export function forkOf(result: unknown): ForkResult | null {
  return hasNumber(result, "return") && hasNumber(result, "parent_return") ? (result as ForkResult) : null;
}

export const smokeTestOf = (response: object): SmokeTest => response as SmokeTest;

export const exactnessOf = (response: object): Exactness => response as Exactness;

const hasNumber = (value: unknown, name: string): boolean => typeof fieldOf(value, name) === "number";

const hasList = (value: unknown, name: string): boolean => Array.isArray(fieldOf(value, name));

const fieldOf = (value: unknown, name: string): unknown => (value as Record<string, unknown> | null)?.[name];
