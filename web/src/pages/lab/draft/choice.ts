/** What a user has chosen for the next run, as a link carries it. Pure. */

import { JUDGE_BY, SOLVED, UNTIL } from "@/pages/lab/draft/draft";
import { type LabSearch, labSearch } from "@/pages/lab/search";
import type { Values } from "@/schema-form/fields";

const NAMES = [
  "env",
  "algorithm",
  "dataset",
  "reward",
  "preset",
  "length",
  "steps",
  "seed",
  "seeds",
  "start",
  "name",
  "tags",
  "options",
  "params",
  "env_kwargs",
] as const satisfies (keyof LabSearch)[];

export type Choice = Pick<LabSearch, (typeof NAMES)[number]>;

/** In older links a length is a preset. */
const LENGTHS = ["short", "medium", "long"];

/** The choice in a link, always with its fields in the same order; null when the link names none. */
export function choiceIn(search: LabSearch): Choice | null {
  // In older links the option `until` is a parameter of its own.
  const options = search.solved ? { [UNTIL]: SOLVED, ...search.options } : search.options;
  const isLength = LENGTHS.includes(search.preset ?? "");
  const { preset = undefined, length = undefined } = isLength ? { length: search.preset } : search;
  const algorithm = search.algorithm ?? search.runner;
  const {
    solved: _,
    runner: _runner,
    ...valid
  } = labSearch({
    ...search,
    algorithm,
    preset,
    length,
    options,
  });
  const found = NAMES.filter((name) => valid[name] !== undefined).map((name) => [name, valid[name]]);
  return found.length > 0 ? (Object.fromEntries(found) as Choice) : null;
}

/** The link's parameters with this choice instead of the one they have. */
export function withChoice(search: LabSearch, choice: Choice): LabSearch {
  const none = Object.fromEntries(NAMES.map((name) => [name, undefined]));
  return { ...search, ...none, runner: undefined, solved: undefined, ...choiceIn(choice) };
}

/** The choice for another environment: its steps, its arguments and a reward that was written for the one before do not fit. */
export function inEnvironment(choice: Choice, env: string, before: string): Choice {
  if (env === before) return { ...choice, env };
  return { ...withReward(choice, ""), env, steps: undefined, env_kwargs: undefined };
}

/** Without a reward, whose return decides is no question. */
export const withReward = (choice: Choice, reward: string): Choice => ({
  ...choice,
  reward: reward || undefined,
  options: reward ? choice.options : withoutOption(choice.options, JUDGE_BY),
});

function withoutOption(options: Values | undefined, name: string): Values {
  const { [name]: _, ...others } = options ?? {};
  return others;
}

export const isSameChoice = (a: Choice | null, b: Choice | null): boolean =>
  JSON.stringify(a ?? {}) === JSON.stringify(b ?? {});

export const tagsOf = (text: string | undefined): string[] => [
  ...new Set(
    (text ?? "")
      .split(",")
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];
