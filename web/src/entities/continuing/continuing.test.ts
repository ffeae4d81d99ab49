import { expect, test } from "vitest";
import type { Environment, Run, Runner } from "@/api/types";
import { joinedSeries, joinsOf, offsetOf } from "./joined-curves";
import { marksOf, ownSwitch, stepsTitle } from "./phases";
import { onlineSearch, whyNotFineTune } from "./use-fine-tune";
import { whyNotLonger } from "./use-longer";

const line = (id: string, xs: number[]) => ({ id, label: id, colour: "red", xs, ys: xs.map((x) => x / 10) });

test("a curve follows those of its ancestors, each up to the step that the next one took", () => {
  const parts = [
    { series: line("a", [10, 20, 30, 40]), upTo: 30 },
    { series: line("b", [10, 20, 30]), upTo: 20 },
  ];
  expect(joinsOf(parts)).toEqual([30, 50]);
  expect(offsetOf(parts)).toBe(50);
  const joined = joinedSeries(parts, line("c", [5, 15]));
  expect(joined.map(({ id, xs }) => [id, xs])).toEqual([
    ["a", [10, 20, 30]],
    ["b", [40, 50]],
    ["c", [55, 65]],
  ]);
  expect(joined[0]!.ys).toEqual([1, 2, 3]);
});

test("a parent without points up to its checkpoint leaves a gap, not an empty line", () => {
  const joined = joinedSeries([{ series: line("a", [90]), upTo: 50 }], line("b", [1]));
  expect(joined.map(({ id, xs }) => [id, xs])).toEqual([["b", [51]]]);
});

const run = (more: object) =>
  ({
    status: "succeeded",
    source: null,
    origin: null,
    study_id: null,
    isolation: null,
    config: { kind: "train", params: {} },
    ...more,
  }) as unknown as Run;

test("only an ended training of the lab itself, outside studies, is trained longer", () => {
  expect(whyNotLonger(run({}))).toBeNull();
  expect(whyNotLonger(run({ status: "running" }))).toBe("It must have ended first.");
  expect(whyNotLonger(run({ study_id: "s" }))).toContain("one length");
  expect(whyNotLonger(run({ source: {} }))).toContain("adopted");
  expect(whyNotLonger(run({ origin: {} }))).toContain("imported");
  expect(whyNotLonger(run({ config: { kind: "duel" } }))).toContain("Only a training");
});

test("runs of studies and imported ones have weights to start from, scripts have none", () => {
  expect(whyNotFineTune(run({ study_id: "s", origin: {} }))).toBeNull();
  expect(whyNotFineTune(run({ isolation: "full" }))).toContain("script");
});

test("the switch from a dataset to the environment is marked, between runs and within one", () => {
  const progress = (unit: string) => ({ unit, total_timesteps: 1000 });
  const offline = run({ progress: progress("update") });
  const online = run({ progress: progress("step") });
  const chain = [
    { run: offline, upTo: 400 },
    { run: online, upTo: 100 },
  ];
  const marks = marksOf(chain, online);
  expect(marks).toEqual([
    { at: 400, label: "offline → online" },
    { at: 500, label: "" },
  ]);
  expect(stepsTitle(online, marks)).toBe("Update, then step");
  expect([stepsTitle(online, []), stepsTitle(offline, [])]).toEqual(["Step", "Update"]);
  const both = run({
    config: { kind: "train", params: { online_steps: 300 } },
    progress: progress("update"),
  });
  expect(ownSwitch(both)).toEqual([{ at: 700, label: "offline → online" }]);
  expect(stepsTitle(both, [])).toBe("Update, then step");
  const lengthened = { at: 500, schedule_steps: 500 };
  expect(ownSwitch({ ...both, config: { ...both.config, lengthened } } as Run)[0]?.at).toBe(200);
  expect(ownSwitch(offline)).toEqual([]);
});

test("what was learned from a dataset goes on with the first learner that fits its actions", () => {
  const followed_by = { discrete: ["sb3/ppo"], continuous: ["sb3/sac", "sb3/ppo"] };
  const runners = [{ id: "offline", algorithms: [{ id: "iql", followed_by }] }] as unknown as Runner[];
  const environments = [{ id: "Pendulum-v1", action_space_type: "continuous" }] as Environment[];
  const of = (env_id: string) =>
    run({ config: { kind: "train", runner: "offline", algorithm: "iql", env_id, params: {} } });
  expect(onlineSearch(of("Pendulum-v1"), runners, environments)).toEqual({
    env: "Pendulum-v1",
    algorithm: "sb3/sac",
  });
  expect(onlineSearch(of("Unknown-v0"), runners, environments)).toBeNull();
});
