/** What completion offers for the code of one kind and environment. Pure. */
import type { Environment } from "@/api/types";

export interface Word {
  label: string;
  kind: "argument" | "number" | "function" | "text";
  /** Behind the label. */
  detail?: string;
  /** What is written; the label when absent. */
  apply?: string;
  /** Only behind this text: "np.", "obs[". Absent: wherever a word can be. */
  after?: string;
}

const ARGUMENTS: Record<string, string> = {
  obs: "what the agent saw before its action",
  action: "what it did",
  next_obs: "what it saw afterwards",
  reward: "the environment’s reward for this step",
  terminated: "the task ended here",
  truncated: "the time limit ended it here",
  info: "what the environment reports",
  state: "your own dict, made by reset()",
};

/** The arguments of a reward, what the numbers of an observation and an action mean, and NumPy. */
export function rewardWords(environment: Environment | undefined): Word[] {
  return [
    ...Object.entries(ARGUMENTS).map(([label, detail]) => ({ label, detail, kind: "argument" }) as const),
    ...observationWords(environment?.observation_names ?? []),
    ...actionWords(environment),
    ...NUMPY,
    ...MATH,
  ];
}

/** "pole angle (rad)" writes obs[2]; behind “obs[” it writes the number. */
export function observationWords(names: readonly string[], arrays = ["obs", "next_obs"]): Word[] {
  return names.flatMap((name, i) => [
    { label: name, kind: "number", detail: `${arrays[0]}[${i}]`, apply: `${arrays[0]}[${i}]` } as const,
    ...arrays.map(
      (array) =>
        ({ label: name, kind: "number", detail: String(i), apply: String(i), after: `${array}[` }) as const,
    ),
  ]);
}

function actionWords(environment: Environment | undefined): Word[] {
  const names = environment?.action_names ?? [];
  if (environment?.action_space_type !== "discrete") return observationWords(names, ["action"]);
  return names.map((name, i) => ({
    label: name,
    kind: "number",
    detail: `action == ${i}`,
    apply: `action == ${i}`,
  }));
}

const within = (after: string, functions: Record<string, string>): Word[] =>
  Object.entries(functions).map(([label, detail]) => ({ label, detail, kind: "function", after }));

export const NUMPY = within("np.", {
  abs: "without its sign",
  all: "whether all are true",
  any: "whether one is true",
  arctan2: "angle of (y, x)",
  argmax: "place of the largest",
  argmin: "place of the smallest",
  array: "of a list",
  clip: "(x, low, high)",
  cos: "",
  cumsum: "sums so far",
  diff: "differences of neighbours",
  dot: "",
  exp: "",
  float32: "",
  hypot: "√(x² + y²)",
  isfinite: "neither NaN nor infinite",
  "linalg.norm": "length of a vector",
  log: "natural logarithm",
  max: "",
  maximum: "the larger of two",
  mean: "",
  median: "",
  min: "",
  minimum: "the smaller of two",
  percentile: "(values, 90)",
  pi: "3.14159…",
  sign: "−1, 0 or 1",
  sin: "",
  sqrt: "",
  square: "",
  std: "standard deviation",
  sum: "",
  tanh: "between −1 and 1",
  where: "(condition, a, b)",
  zeros: "",
});

export const MATH = within("math.", {
  atan2: "angle of (y, x)",
  cos: "",
  exp: "",
  fabs: "without its sign",
  hypot: "√(x² + y²)",
  isfinite: "neither NaN nor infinite",
  log: "natural logarithm",
  pi: "3.14159…",
  sin: "",
  sqrt: "",
  tanh: "between −1 and 1",
});

const GYMNASIUM = within("gymnasium.", {
  Env: "what an environment is derived from",
  Wrapper: "what a wrapper is derived from",
  "spaces.Box": "(low, high, shape, dtype)",
  "spaces.Discrete": "(n)",
  "spaces.MultiDiscrete": "([n, n, …])",
});

const ENVIRONMENT: Record<string, string> = {
  MAX_EPISODE_STEPS: "after so many steps an episode is truncated",
  REWARD_THRESHOLD: "the mean return that counts as solved",
  observation_space: "what the agent sees",
  action_space: "what it can do",
  metadata: "render_modes and render_fps",
  get_keys_to_action: 'keys for people: {"a": 0}',
};

/** What an environment and a wrapper are made of. */
export const environmentWords = (): Word[] => [
  ...Object.entries(ENVIRONMENT).map(([label, detail]) => ({ label, detail, kind: "text" }) as const),
  ...GYMNASIUM,
  ...within("self.np_random.", {
    integers: "(low, high)",
    uniform: "(low, high, size)",
    normal: "(mean, deviation, size)",
    choice: "(values)",
  }),
  ...NUMPY,
  ...MATH,
];

/** The words that fit behind `before`, the text of the line up to the word that is being written. */
export function wordsBehind(words: readonly Word[], before: string): Word[] {
  const special = words.filter(({ after }) => after !== undefined && endsWithWord(before, after));
  if (special.length > 0) return special;
  return /[.\w]$/.test(before) ? [] : words.filter(({ after }) => after === undefined);
}

/** "next_obs[" does not end with the word "obs[". */
const endsWithWord = (text: string, end: string): boolean =>
  text.endsWith(end) && !/\w$/.test(text.slice(0, -end.length));
