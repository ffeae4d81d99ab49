import { expect, test } from "vitest";
import type { DerivedMetric } from "@/api/types";
import { fieldsOf } from "@/schema-form/fields";
import { emptyDraft, fromTemplate, planOf, type StudyDraft, spread, variedFrom } from "./draft";
import { measureOptions, NUMBER, withProtocol } from "./judging";

const FIELDS = fieldsOf({
  properties: {
    learning_rate: { type: "number", exclusiveMinimum: 0, maximum: 1, default: 0.001, "x-scale": "log" },
    hidden: { type: "array", items: { type: "integer" }, default: [64, 64] },
    normalize: { type: "boolean", default: true },
    n_steps: { type: "integer", minimum: 1, default: 128 },
  },
});
const [rate, hidden, normalize] = FIELDS.map(variedFrom) as [ReturnType<typeof variedFrom>, never, never];
const draft = (change: Partial<StudyDraft>): StudyDraft => ({
  ...emptyDraft("CartPole-v1", undefined),
  offer: "turbo/ppo",
  ...change,
});

test("a parameter begins with values around its default", () => {
  expect(rate.values).toBe("3e-4, 0.001, 0.003");
  expect((normalize as typeof rate).values).toBe("true, false");
  expect((hidden as typeof rate).values).toBe("64, 64");
});

test("a grid has every combination times the seeds", () => {
  const plan = planOf(
    draft({ varied: [rate, { ...rate, name: "hidden", values: "64, 64; 128" }], seeds: "3, 7" }),
    FIELDS,
  );
  expect(plan).toMatchObject({ variants: 6, seeds: 2, runs: 12, problems: {} });
  expect(plan.study).toMatchObject({
    base: { env_id: "CartPole-v1", runner: "turbo", algorithm: "ppo" },
    sweep: { method: "grid", parameters: { hidden: { values: [[64, 64], [128]] } } },
    seeds: [3, 7],
  });
});

test("a range of a grid becomes values, by factors where it is logarithmic; of random points it stays a range", () => {
  expect(spread({ low: 1e-4, high: 1e-2 }, 3, true, false)).toEqual([1e-4, 1e-3, 1e-2]);
  expect(spread({ low: 1, high: 3 }, 5, false, true)).toEqual([1, 2, 3]);
  const ranged = { ...rate, isRange: true, low: "1e-4", high: "1e-2" };
  const random = planOf(draft({ way: "random", points: "40", varied: [ranged] }), FIELDS);
  expect(random.study?.sweep).toMatchObject({
    points: 40,
    parameters: { learning_rate: { low: 1e-4, scale: "log" } },
  });
  expect(random.runs).toBe(200);
});

test("one change is compared with the base", () => {
  const plan = planOf(draft({ way: "change", varied: [{ ...rate, values: "0.01" }], seeds: "10" }), FIELDS);
  expect(plan.study?.variants).toEqual([
    { label: "base" },
    { label: "my change", settings: { learning_rate: 0.01 } },
  ]);
  expect(plan.runs).toBe(20);
});

test.each([
  [{ varied: [{ ...rate, values: "0.1, x" }] }, "learning_rate", "“x”: This is not a number."],
  [{ varied: [{ ...rate, values: "0.1, 0.1" }] }, "learning_rate", "0.1 is listed twice."],
  [{ varied: [{ ...rate, values: " " }] }, "learning_rate", "Type one or more values."],
  [
    { varied: [{ ...rate, isRange: true, low: "1", high: "0.1" }] },
    "learning_rate",
    "The first number must be below the second.",
  ],
  [{ varied: [{ ...rate, name: "nothing" }] }, "nothing", "This algorithm has no such parameter."],
  [{ seeds: "" }, "seeds", "Type how many seeds, such as 5."],
  [{ seeds: "3, 3" }, "seeds", "Seed 3 is there twice."],
  [{ way: "random" as const, points: "x", varied: [rate] }, "points", "A number from 1 to 10,000."],
  [
    { way: "random" as const, points: "9,000", varied: [rate] },
    "runs",
    "45,000 runs are more than a study can have (10,000).",
  ],
])("what is wrong is named at its field: %o", (change, field, problem) => {
  const plan = planOf(draft(change), FIELDS);
  expect(plan.problems[field]).toBe(problem);
  expect(plan.study).toBe(null);
});

test("a template fills the dialog, and the dialog makes the template's study", () => {
  const plan = {
    question: "Which learning rate is best?",
    base: {},
    sweep: { method: "grid" as const, parameters: { learning_rate: { values: [1e-4, 1e-3] } } },
    seeds: 3,
  };
  const filled = fromTemplate(draft({}), { id: "lr", title: "", description: "", plan }, FIELDS);
  expect(planOf(filled, FIELDS).study).toMatchObject({
    sweep: plan.sweep,
    seeds: 3,
    question: plan.question,
  });
  const gain = {
    ...plan,
    sweep: null,
    variants: [{ label: "base" }, { label: "b", settings: { learning_rate: 0.01 } }],
  };
  expect(fromTemplate(draft({}), { id: "g", title: "", description: "", plan: gain }, FIELDS)).toMatchObject({
    way: "change",
    varied: [{ name: "learning_rate", values: "0.01" }],
  });
});

test("a number of evaluation code is judged by with the protocol that computes it", () => {
  const chosen = { ...draft({}), ...withProtocol(draft({}), "nightly@v2"), measure: NUMBER };
  const { study } = planOf({ ...chosen, number: " soft_landings " }, FIELDS);
  expect([study?.measure, study?.base.evaluate_by]).toEqual(["soft_landings", "nightly@v2"]);
  expect(planOf(chosen, FIELDS).problems.number).toContain("soft_landings");
  expect(withProtocol(chosen, "")).toEqual({ protocol: "", measure: "evaluation" });
  const options = measureOptions([{ name: "speed" } as DerivedMetric], draft({}));
  expect(options.map(({ value }) => value)).toEqual(["final", "best", "area", "evaluation", "metrics.speed"]);
});
