import { expect, test } from "vitest";
import type { EvaluationSummary, Run } from "@/api/types";
import { whyNoDuel } from "./DuelPanel";
import { differenceText } from "./GroupTable";
import { bySeed, groupsOf, singlesOf } from "./groups";
import { newestOf, numberNames } from "./newest-evaluations";

const run = (id: string, seed: number, lr = 0.1, env_id = "CartPole-v1"): Run =>
  ({
    id,
    name: `PPO on ${env_id} · seed ${seed}`,
    config: { kind: "train", algorithm: "ppo", env_id, seed, params: { lr } },
  }) as unknown as Run;

test("scripts that differ only in their seed are one group", () => {
  const script = (id: string, seed: number): Run =>
    ({
      id,
      name: id,
      config: {
        kind: "train",
        seed,
        args: { seed, lr: 1 },
        params: { command: ["python", "x.py", "--seed", `${seed}`] },
      },
    }) as unknown as Run;
  expect(groupsOf([script("a", 1), script("b", 2)])).toHaveLength(1);
});

test("runs that differ in their seed alone are one group", () => {
  const groups = groupsOf([run("a", 1), run("b", 2), run("c", 1, 0.2)]);
  expect(groups.map((group) => group.runs.map((r) => r.id))).toEqual([["a", "b"], ["c"]]);
  expect(groups.map((group) => group.label)).toEqual(["lr 0.1 · 2 seeds", "lr 0.2 · seed 1"]);
});

test("the seeds of a group are listed in their order", () => {
  expect(bySeed([run("a", 3), run("b", 10), run("c", 1)]).map((r) => r.id)).toEqual(["c", "a", "b"]);
});

test("one group alone has its whole name, and single runs are labelled by what differs", () => {
  expect(groupsOf([run("a", 1), run("b", 2)])[0]!.label).toBe("PPO on CartPole-v1 · 2 seeds");
  expect(singlesOf([run("a", 1), run("b", 2)]).map((one) => one.label)).toEqual(["seed 1", "seed 2"]);
});

test("a duel that cannot start gives the reason", () => {
  expect(whyNoDuel([run("a", 1)])).toContain("two runs");
  expect(whyNoDuel([run("a", 1), run("b", 2, 0.1, "Pendulum-v1")])).toContain("the same environment");
  expect(whyNoDuel([run("a", 1), run("b", 2)])).toBeNull();
});

test("a difference between groups has its interval, and says when the seeds do not decide", () => {
  const gap = { first: "a", second: "b", measure: "final", mean: -3, chance_first_better: 0.25 };
  expect(differenceText({ ...gap, interval: [-9, 4], level: 0.95 })).toBe(
    "a minus b: −3, 95 % between −9 and +4; better in 25 % of the pairs of seeds. These seeds do not show which is better.",
  );
  expect(differenceText({ ...gap, interval: null, level: null })).toBe(
    "a minus b: −3, too few for an interval: 5 needed; better in 25 % of the pairs of seeds.",
  );
});

test("the compared evaluation is the newest, or the newest by the chosen protocol, with the numbers of all", () => {
  const summary = (sha256: string, numbers: object) =>
    ({ protocol: { sha256 }, numbers }) as unknown as EvaluationSummary;
  const [newest, older] = [summary("n2", { soft: {} }), summary("n1", { soft: {}, fuel: {} })];
  const evaluations = [{ summary: null }, { summary: newest }, { summary: older }];
  expect(newestOf(evaluations, undefined)).toBe(newest);
  expect(newestOf(evaluations, "n1")).toBe(older);
  expect(newestOf(evaluations, "n3")).toBeNull();
  expect(numberNames([newest, null, older])).toEqual(["soft", "fuel"]);
});
