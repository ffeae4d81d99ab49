/** What a link to the lab carries. */
import { count, fields, flag, oneOf, type SearchOf, searchParams, text } from "@/lib/search";

export const labSearch = searchParams({
  /** The shown run; the newest when absent. */
  run: text,
  /** The evaluation in the feed. */
  evaluation: text,
  /** The environment previewed in the feed. */
  preview: text,
  /** The left column: train a new agent, or use a trained one. */
  way: oneOf(["new", "trained"]),
  env: text,
  /** Runner and algorithm, such as turbo/ppo. */
  algorithm: text,
  /** In links to a runner: its first algorithm that can learn here. */
  runner: text,
  /** What it learns from, with a runner that learns from datasets: lander-expert@v2. */
  dataset: text,
  /** The saved reward it learns from: gentle@v2; absent: the environment's. */
  reward: text,
  /** How to learn: fast, stable, high_score. */
  preset: text,
  /** How long: short, medium, long. */
  length: text,
  /** What was typed for the next run: steps, seed, run options and parameters that differ. */
  steps: count,
  seed: count,
  /** How many seeds, or the seeds: 5, 3,7,11, 1-5. */
  seeds: text,
  /** The checkpoint whose weights it starts with: run, checkpoint and hash, joined by @. */
  start: text,
  name: text,
  /** Separated by commas. */
  tags: text,
  options: fields,
  params: fields,
  /** Arguments of the environment, its wrappers among them. */
  env_kwargs: fields,
  /** In older links: the option `until` is "solved". */
  solved: flag,
});
export type LabSearch = SearchOf<typeof labSearch>;
