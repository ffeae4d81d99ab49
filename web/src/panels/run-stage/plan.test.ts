import { expect, test } from "vitest";
import type { EpisodeRow, Run } from "@/api/types";
import { bestTitle, stagePlan, type Wishes } from "./plan";

const BEST = { episode: 1264, reward: 500 } as EpisodeRow;
const plan = (run: Partial<Run>, wishes: Partial<Wishes> = {}) =>
  stagePlan(
    {
      id: "a1",
      status: "running",
      progress: { episodes: 9 },
      config: { kind: "train", feed: true },
      source: null,
      ...run,
    } as Run,
    { isOn: true, isStill: false, best: undefined, ...wishes },
  );

test("a run that works shows its live feed", () => {
  expect(plan({})).toMatchObject({ title: "Live feed", path: "/api/runs/a1/frames" });
});

test("an ended run shows its best episode and says so", () => {
  const ended = plan({ status: "succeeded" }, { best: BEST });
  expect(ended).toMatchObject({ title: "Best episode 1,264 · +500", path: "/api/runs/a1/frames" });
});

test("with reduced motion nothing loops by itself", () => {
  const still = plan({ status: "succeeded" }, { best: BEST, isStill: true });
  expect(still).toMatchObject({ path: null, action: "play" });
  expect(plan({}, { isStill: true }).path).not.toBeNull();
});

test("an adopted run says what it is and shows its curve", () => {
  const source = { folder: "/logs", is_followed: true } as Run["source"];
  expect(plan({ source })).toMatchObject({
    path: null,
    note: "Scalars followed from a folder; no pictures.",
    showsCurve: true,
  });
});

test("a run without recordings shows its curve instead of a black stage", () => {
  expect(plan({ status: "succeeded" }, { best: null })).toMatchObject({ path: null, showsCurve: true });
  const failed = plan({ status: "failed", progress: { episodes: 0 } as Run["progress"] }, { best: null });
  expect(failed).toMatchObject({ title: "Live feed", showsCurve: false });
  expect(failed.note).toBe("The run ended before its first episode.");
  const reason = { cause: "imported", message: "", next_step: "" } as Run["reason"];
  const imported = plan(
    { status: "succeeded", reason, progress: { episodes: 0 } as Run["progress"] },
    { best: null },
  );
  expect(imported.note).toContain("Evaluate it to see it play");
});

test("while a run learns from a dataset, no episode is announced that it does not play", () => {
  const progress = { episodes: 0, unit: "update" } as Run["progress"];
  const config = (params: object) => ({ kind: "train", feed: true, params }) as Run["config"];
  expect(plan({ progress, config: config({}) }).note).toContain("without playing");
  expect(plan({ progress, config: config({ online_steps: 500 }) }).note).toContain(
    "learns from a dataset first",
  );
});

test("a feed that is off asks for no frames and can be turned on", () => {
  expect(plan({}, { isOn: false })).toMatchObject({ path: null, action: "turn on" });
});

test("a run started without a feed has none until it has ended", () => {
  const config = { kind: "train", feed: false } as Run["config"];
  expect(plan({ config })).toMatchObject({ path: null, action: null });
  expect(plan({ config, status: "succeeded" }, { best: BEST }).path).not.toBeNull();
});

test("the best episode of a script that only evaluates is called so", () => {
  expect(bestTitle({ episode: 2 ** 40 + 3, reward: -611 })).toBe("Best evaluation episode 3 · −611");
});
