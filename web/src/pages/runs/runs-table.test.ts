import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { nextSort } from "@/panels/table/sort";
import { rangeBetween } from "@/panels/table/use-selection";
import { COLUMNS, columnsOf, nameParts, narrowColumns, parameterColumn, parametersOf } from "./columns";
import { metricColumn, metricNames } from "./metric-columns";
import { searchOf, viewOf } from "./views";

test("a head sorts downwards, then upwards, then not at all", () => {
  const steps = COLUMNS.find((column) => column.id === "steps")!;
  expect(nextSort(steps, undefined)).toBe("-timestep");
  expect(nextSort(steps, "-timestep")).toBe("timestep");
  expect(nextSort(steps, "timestep")).toBeUndefined();
});

test("a range of rows is the same from both ends", () => {
  const ids = ["a", "b", "c", "d"];
  expect(rangeBetween(ids, 1, 3)).toEqual(["b", "c", "d"]);
  expect(rangeBetween(ids, 3, 1)).toEqual(["b", "c", "d"]);
  expect(rangeBetween(ids, -1, 2)).toEqual(["c"]);
});

const run = (params: object, change: object = {}): Run =>
  ({
    id: "a",
    kind: "train",
    attempt: 1,
    status: "succeeded",
    config: { kind: "train", seed: 3, params, args: {} },
    summary: { best_mean_reward: 9.3, best_reward: 107 },
    progress: { timestep: 10, elapsed_s: 1, episodes: 2 },
    ...change,
  }) as unknown as Run;

test("a parameter is a column that can be sorted, and stands after the seed", () => {
  const column = parameterColumn("learning_rate");
  expect([column.title, column.sort]).toEqual(["learning rate", "params.learning_rate"]);
  expect(column.cell(run({ learning_rate: 3e-4 }), "")).toBe("3e-4");
  expect(column.cell(run({}), "")).toBe("");
  expect(columnsOf(["seed", "best", "params.gamma"]).map(({ id }) => id)).toEqual([
    "name",
    "seed",
    "params.gamma",
    "best",
  ]);
});

test("parameters that differ are offered first", () => {
  const runs = [run({ a: 1, lr: 1 }), run({ a: 1, lr: 2 })];
  expect(parametersOf(runs)).toEqual(["lr", "a"]);
});

test("best is the best mean, and the best single episode has a column of its own", () => {
  const cell = (id: string) => COLUMNS.find((column) => column.id === id)!.cell(run({}), "");
  expect([cell("best"), cell("bestEpisode")]).toEqual(["9.3", "107"]);
});

test("a run that waits has empty cells instead of dashes", () => {
  const waiting = run({}, { attempt: 0, status: "queued", summary: {} });
  for (const id of ["best", "last", "steps", "duration"])
    expect(COLUMNS.find((column) => column.id === id)!.cell(waiting, "")).toBe("");
});

test("on a phone status, name and best come first", () => {
  expect(narrowColumns(columnsOf(["status", "tags", "best"])).map(({ id }) => id)).toEqual([
    "status",
    "name",
    "best",
    "tags",
  ]);
});

test("a saved view keeps what is chosen, and clears what it does not filter", () => {
  const view = viewOf("thesis", { q: "lr<0.01", status: undefined, archived: true }, ["seed"]);
  expect(view).toEqual({ name: "thesis", search: { q: "lr<0.01", archived: true }, columns: ["seed"] });
  expect(searchOf(view)).toMatchObject({ q: "lr<0.01", archived: true, status: undefined, tag: undefined });
});

test("a metric is a column that sorts, and is empty for runs without it", () => {
  const [, column] = columnsOf(["metrics.entropy"]);
  expect([column!.id, column!.sort]).toEqual(["metrics.entropy", "metrics.entropy"]);
  const ended = run({}, { summary: { metrics: { entropy: 0.25 } } });
  expect([column!.cell(ended, ""), column!.cell(run({}), "")]).toEqual(["0.25", ""]);
  expect(metricNames([ended])).toEqual(["entropy"]);
});

test("a number of evaluation code cites its protocol, in the cell or in the head", () => {
  const numbers = { soft: 0.5, "soft@nightly@v2": 0.5, speed: 9 };
  const cited = { soft: "nightly@v2", "soft@nightly@v2": "nightly@v2", speed: "nightly@v2" };
  const measured = run({}, { summary: { numbers, cited, derived: { speed: 2 } } });
  const cell = (name: string) =>
    renderToStaticMarkup(createElement("div", null, metricColumn(name).cell(measured, "")));
  expect(cell("soft")).toContain("Measured by: nightly@v2");
  expect(metricColumn("soft@nightly@v2").title).toBe("soft · nightly@v2");
  expect(cell("soft@nightly@v2")).toBe("<div>0.5</div>");
  expect(cell("speed")).toBe("<div>2</div>");
});

test("a name shows what is special first", () => {
  expect(nameParts("PPO on CartPole-v1 · gamma 0.9 · seed 3")).toEqual({
    special: "gamma 0.9 · seed 3",
    common: "PPO on CartPole-v1",
  });
  expect(nameParts("mine")).toEqual({ special: "mine", common: "" });
});
