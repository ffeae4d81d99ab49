/**
 * The results of jobs. `Run.summary.result` may also be one that an older version stored, so its fields are checked here.
 * The shapes of smoke tests and exactness, for which the API publishes no model, are written in this file and nowhere else.
 */
import type { DuelSummary, EvaluationSummary, ForkResult, PlayResult, Run } from "@/api/types";

type JobResult = Run["summary"]["result"];

/** Null when `result` is not the summary of an evaluation. */
export const summaryOf = (result: JobResult): EvaluationSummary | null =>
  hasNumber(result, "return_mean") && hasList(result, "returns") ? (result as EvaluationSummary) : null;

/** Null when `result` is not the result of a duel. */
export const duelOf = (result: JobResult): DuelSummary | null =>
  hasList(result, "sides") && hasList(result, "differences") ? (result as DuelSummary) : null;

/** Null when `result` is not the result of a fork. */
export const forkOf = (result: JobResult): ForkResult | null =>
  hasNumber(result, "return") ? (result as ForkResult) : null;

/** Null when `result` is not the result of a play. */
export const playResultOf = (result: JobResult): PlayResult | null =>
  hasNumber(result, "episodes") && hasNumber(result, "by_person") ? (result as PlayResult) : null;

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

export const smokeTestOf = (response: object): SmokeTest => response as SmokeTest;

export const exactnessOf = (response: object): Exactness => response as Exactness;

const hasNumber = (value: unknown, name: string): boolean => typeof fieldOf(value, name) === "number";

const hasList = (value: unknown, name: string): boolean => Array.isArray(fieldOf(value, name));

const fieldOf = (value: unknown, name: string): unknown => (value as Record<string, unknown> | null)?.[name];
