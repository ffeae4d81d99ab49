/** What the dialog holds, and how it becomes a study. Pure. */
import type { NewStudy, StudyTemplate, Sweep } from "@/api/types";
import { type Offer, offerId } from "@/entities/runners/offers";
import { parseSeeds } from "@/entities/studies/seeds";
import { parseCount } from "@/lib/count";
import { formatCount, formatSetting } from "@/lib/format";
import type { Field } from "@/schema-form/fields";
import { isInside, parseText, problemOf, textOf } from "@/schema-form/values";
import { type Judging, judgingProblem, measureOf } from "./judging";

/** "change": the base against one other configuration. */
export type Way = NonNullable<Sweep["method"]> | "change";

export const WAY_TITLES: Record<Way, string> = {
  grid: "Grid: every combination",
  random: "Random points",
  tpe: "TPE: points near the best so far",
  change: "One change against the base",
};

/** A parameter that varies. What is typed stays text until the study is made. */
export interface Varied {
  name: string;
  isRange: boolean;
  /** "0.001, 0.003, 0.01"; lists such as layers are separated by semicolons. */
  values: string;
  low: string;
  high: string;
  /** How many values a grid takes from the range. */
  count: string;
  isLog: boolean;
}

export interface StudyDraft extends Judging {
  name: string;
  question: string;
  envId: string;
  /** "turbo/ppo". */
  offer: string;
  steps: string;
  way: Way;
  varied: readonly Varied[];
  points: string;
  /** "5", or a list: "3, 7, 11". */
  seeds: string;
  budgetRuns: string;
  budgetMinutes: string;
  prune: boolean;
}

export const MOST_RUNS = 10_000;

export const emptyDraft = (envId: string, offer: Offer | undefined): StudyDraft => ({
  name: "",
  question: "",
  envId,
  offer: offer ? offerId(offer) : "",
  steps: "",
  way: "grid",
  varied: [],
  points: "20",
  seeds: "5",
  budgetRuns: "",
  budgetMinutes: "",
  prune: false,
  measure: "final",
  protocol: "",
  number: "",
});

/** A new row: the values around the default, or the range that the schema allows. */
export function variedFrom(field: Field): Varied {
  const isNumber = field.kind === "number" || field.kind === "integer";
  const around = isNumber && typeof field.default === "number" ? neighbours(field, field.default) : [];
  return {
    name: field.name,
    isRange: false,
    values: startValues(field, around),
    low: around.length > 0 ? formatPlain(around[0]!) : "",
    high: around.length > 0 ? formatPlain(around.at(-1)!) : "",
    count: "5",
    isLog: field.isLog,
  };
}

function startValues(field: Field, around: readonly number[]): string {
  if (field.kind === "boolean") return "true, false";
  if (field.kind === "choice") return field.choices.join(", ");
  if (around.length > 0) return around.map(formatPlain).join(", ");
  return field.default === null ? "" : textOf(field, field.default);
}

function neighbours(field: Field, value: number): number[] {
  const factors = field.isLog ? [1 / 3, 1, 3] : [0.5, 1, 2];
  const rounded = factors.map((factor) => {
    const near = Number((value * factor).toPrecision(1));
    return field.kind === "integer" ? Math.max(1, Math.round(near)) : near;
  });
  rounded[1] = value;
  return [...new Set(rounded)].filter((one) => isInside(field, one)).sort((a, b) => a - b);
}

const formatPlain = (value: number): string => formatSetting(value).replaceAll(",", "").replace("−", "-");

export type Parsed<T> = { value: T; problem: null } | { value: null; problem: string };
const wrong = (problem: string) => ({ value: null, problem }) as const;
const right = <T>(value: T) => ({ value, problem: null }) as const;

/** The values that a row stands for, each checked against its field. */
export function parseValues(field: Field, text: string): Parsed<unknown[]> {
  const parts = text
    .split(field.kind === "integers" ? ";" : ",")
    .map((part) => part.trim())
    .filter(Boolean);
  if (parts.length === 0) return wrong("Type one or more values.");
  const values = parts.map((part) => typedValue(field, part));
  const bad = values.findIndex((value) => typeof value === "string" && field.kind === "boolean");
  if (bad >= 0) return wrong(`“${parts[bad]}” is neither true nor false.`);
  for (const [i, value] of values.entries()) {
    const problem = problemOf(field, value);
    if (problem) return wrong(`“${parts[i]}”: ${problem}`);
  }
  const repeated = values.find((value, i) => values.findIndex((other) => same(other, value)) < i);
  if (repeated !== undefined) return wrong(`${JSON.stringify(repeated)} is listed twice.`);
  return right(values);
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function typedValue(field: Field, part: string): unknown {
  if (field.kind === "boolean") return part === "true" ? true : part === "false" ? false : part;
  if (field.nullable && part === "none") return null;
  return parseText(field, part);
}

export interface Ends {
  low: number;
  high: number;
}

export function parseRange(field: Field, varied: Varied): Parsed<Ends> {
  const [low, high] = [parseText(field, varied.low), parseText(field, varied.high)];
  if (typeof low !== "number" || typeof high !== "number") return wrong("Both ends must be numbers.");
  if (low >= high) return wrong("The first number must be below the second.");
  const problem = problemOf(field, low) ?? problemOf(field, high);
  if (problem) return wrong(problem);
  if (varied.isLog && low <= 0) return wrong("A logarithmic range begins above 0.");
  return right({ low, high });
}

const MOST_VALUES = 100;

/** Values of a grid between two ends, evenly apart, or by equal factors. */
export function spread({ low, high }: Ends, count: number, isLog: boolean, isInteger: boolean): number[] {
  const at = (i: number) =>
    isLog ? low * (high / low) ** (i / (count - 1)) : low + (i / (count - 1)) * (high - low);
  const values = Array.from({ length: count }, (_, i) =>
    isInteger ? Math.round(at(i)) : Number(at(i).toPrecision(6)),
  );
  return [...new Set(values)];
}

type Values = Sweep["parameters"][string];

export function parseVaried(field: Field, varied: Varied, way: Way): Parsed<Values> {
  if (way === "change") {
    const found = parseValues(field, varied.values);
    if (found.problem !== null) return found;
    return found.value.length === 1
      ? right({ values: found.value })
      : wrong("One value: that of the change.");
  }
  if (!varied.isRange) {
    const found = parseValues(field, varied.values);
    return found.problem === null ? right({ values: found.value }) : found;
  }
  const ends = parseRange(field, varied);
  if (ends.problem !== null) return ends;
  if (way !== "grid") return right({ ...ends.value, scale: varied.isLog ? "log" : "linear" });
  const count = parseCount(varied.count);
  if (count === null || Number.isNaN(count) || count < 2 || count > MOST_VALUES)
    return wrong(`A number of values from 2 to ${MOST_VALUES}.`);
  return right({ values: spread(ends.value, count, varied.isLog, field.kind === "integer") });
}

/** A study needs seeds; the field of a single training may stay empty. */
function neededSeeds(text: string): Parsed<number | number[]> {
  const { seeds, problem } = parseSeeds(text);
  return seeds === null ? wrong(problem ?? "Type how many seeds, such as 5.") : right(seeds);
}

export interface Plan {
  /** Null while something is wrong. */
  study: NewStudy | null;
  /** By field of the draft, or name of a parameter. */
  problems: Record<string, string>;
  variants: number;
  seeds: number;
  runs: number;
}

export function planOf(draft: StudyDraft, fields: readonly Field[]): Plan {
  const problems: Record<string, string> = {};
  const keep = <T>(name: string, parsed: Parsed<T | null>): T | null => {
    if (parsed.problem !== null) problems[name] = parsed.problem;
    return parsed.value;
  };
  const parameters: Record<string, Values> = {};
  for (const varied of draft.varied) {
    const field = fields.find((one) => one.name === varied.name);
    if (!field) problems[varied.name] = "This algorithm has no such parameter.";
    else {
      const found = keep(varied.name, parseVaried(field, varied, draft.way));
      if (found) parameters[varied.name] = found;
    }
  }
  const judged = judgingProblem(draft);
  if (judged) problems.number = judged;
  const seeds = keep("seeds", neededSeeds(draft.seeds));
  const steps = keep("steps", optionalCount(draft.steps));
  const points = keep(
    "points",
    draft.way === "random" || draft.way === "tpe" ? neededCount(draft.points) : right(null),
  );
  const budget = {
    runs: keep("budgetRuns", optionalCount(draft.budgetRuns)),
    minutes: keep("budgetMinutes", optionalNumber(draft.budgetMinutes)),
  };
  const variants = variantCount(draft, parameters, points);
  const seedCount = Array.isArray(seeds) ? seeds.length : (seeds ?? 1);
  const runs = Math.min(variants * seedCount, budget.runs ?? Infinity);
  if (runs > MOST_RUNS)
    problems.runs = `${formatCount(runs)} runs are more than a study can have (${formatCount(MOST_RUNS)}).`;
  const isRight = Object.keys(problems).length === 0 && seeds !== null;
  return {
    problems,
    variants,
    seeds: seedCount,
    runs,
    study: isRight ? made(draft, { parameters, seeds, steps, points, budget }) : null,
  };
}

function variantCount(draft: StudyDraft, parameters: Record<string, Values>, points: number | null): number {
  if (draft.varied.length === 0) return 1;
  if (draft.way === "change") return 2;
  if (draft.way !== "grid") return points ?? 1;
  return Object.values(parameters).reduce(
    (product, values) => product * ("values" in values ? values.values.length : 1),
    1,
  );
}

interface Parts {
  parameters: Record<string, Values>;
  seeds: number | number[];
  steps: number | null;
  points: number | null;
  budget: NonNullable<NewStudy["budget"]>;
}

function made(draft: StudyDraft, { parameters, seeds, steps, points, budget }: Parts): NewStudy {
  const [runner, algorithm] = draft.offer.split("/");
  return {
    name: draft.name.trim() || null,
    question: draft.question.trim(),
    base: {
      env_id: draft.envId,
      runner,
      algorithm,
      ...(steps !== null && { total_timesteps: steps }),
      ...(draft.protocol && { evaluate_by: draft.protocol }),
    },
    seeds,
    measure: measureOf(draft),
    budget,
    ...variantsOf(draft, parameters, points),
    start: true,
  };
}

function variantsOf(
  { way, varied, prune }: StudyDraft,
  parameters: Record<string, Values>,
  points: number | null,
): Pick<NewStudy, "variants" | "sweep"> {
  if (varied.length === 0) return {};
  if (way !== "change")
    return {
      sweep: { method: way, parameters, points, prune: way === "tpe" || way === "random" ? prune : false },
    };
  const settings = Object.fromEntries(
    Object.entries(parameters).map(([name, values]) => [name, "values" in values ? values.values[0] : null]),
  );
  return { variants: [{ label: "base" }, { label: "my change", settings }] };
}

function neededCount(text: string): Parsed<number> {
  const value = parseCount(text);
  return value === null || Number.isNaN(value) || value < 1 || value > MOST_RUNS
    ? wrong(`A number from 1 to ${formatCount(MOST_RUNS)}.`)
    : right(value);
}

function optionalCount(text: string): Parsed<number | null> {
  const value = parseCount(text);
  return value === null || value >= 1 ? right(value) : wrong("A whole number, or nothing.");
}

function optionalNumber(text: string): Parsed<number | null> {
  if (text.trim() === "") return right(null);
  const value = Number(text.replace(",", "."));
  return value > 0 ? right(value) : wrong("A number above 0, or nothing.");
}

/** The dialog as a template fills it. */
export function fromTemplate(
  draft: StudyDraft,
  { plan }: StudyTemplate,
  fields: readonly Field[],
): StudyDraft {
  const change = plan.variants?.find((variant) => Object.keys(variant.settings ?? {}).length > 0);
  const parameters: Record<string, Values> = plan.sweep
    ? plan.sweep.parameters
    : Object.fromEntries(
        Object.entries(change?.settings ?? {}).map(([name, value]) => [name, { values: [value] }]),
      );
  return {
    ...draft,
    question: plan.question ?? "",
    seeds: Array.isArray(plan.seeds) ? plan.seeds.join(", ") : String(plan.seeds ?? 5),
    way: plan.sweep ? (plan.sweep.method ?? "grid") : "change",
    varied: Object.entries(parameters).flatMap(([name, values]) => {
      const field = fields.find((one) => one.name === name);
      return field ? [variedOf(field, values)] : [];
    }),
  };
}

function variedOf(field: Field, values: Values): Varied {
  const empty = variedFrom(field);
  if (!("values" in values))
    return {
      ...empty,
      isRange: true,
      low: String(values.low),
      high: String(values.high),
      isLog: values.scale === "log",
    };
  const separator = field.kind === "integers" ? "; " : ", ";
  return { ...empty, values: values.values.map((value) => textOf(field, value)).join(separator) };
}
