import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { runTitle } from "@/lib/page-title";
import { replaceInLists } from "./live-runs";
import { keepRun, runQuery, runsQuery } from "./queries";
import { shownMoves, whyNot } from "./RunMoves";

const run = (change: Partial<Run> = {}): Run =>
  ({
    id: "1nfk71mp5kag",
    name: "PPO on CartPole-v1",
    status: "running",
    version: 3,
    allowed: ["stop", "pause"],
    paused_wanted: false,
    progress: { fraction: 0.42 },
    ...change,
  }) as Run;

test("a run that changed is replaced where it stands in the lists", () => {
  const client = new QueryClient();
  const key = runsQuery({}).queryKey;
  const other = run({ id: "other" });
  client.setQueryData(key, {
    pages: [{ items: [other, run()], next_cursor: null, total: 2 }],
    pageParams: [null],
  });
  expect(replaceInLists(client, run({ status: "succeeded" }))).toBe(true);
  expect(client.getQueryData(key)!.pages[0]!.items.map((r) => [r.id, r.status])).toEqual([
    ["other", "running"],
    ["1nfk71mp5kag", "succeeded"],
  ]);
  expect(replaceInLists(client, run({ id: "new" }))).toBe(false);
});

test("news that overtook each other do not turn a run back", () => {
  const client = new QueryClient();
  keepRun(client, run({ version: 5, status: "succeeded" }));
  keepRun(client, run({ version: 4, status: "running" }));
  expect(client.getQueryData(runQuery("1nfk71mp5kag").queryKey)!.status).toBe("succeeded");
});

test("a button that is off says why", () => {
  expect(whyNot(run(), "stop")).toBeNull();
  expect(whyNot(run({ paused_wanted: true }), "pause")).toBe("It pauses at its next update.");
  expect(whyNot(run({ status: "succeeded", allowed: [] }), "stop")).toBe(
    "A run that is succeeded cannot stop; it has ended.",
  );
  expect(whyNot(run({ status: "stopped", allowed: ["resume"] }), "stop")).toBe(
    "A run that is stopped cannot stop; it can resume.",
  );
});

test("the row of moves always has two places", () => {
  expect(shownMoves(run())).toEqual(["pause", "stop"]);
  expect(shownMoves(run({ status: "created", allowed: ["start"] }))).toEqual(["pause", "start"]);
  expect(shownMoves(run({ status: "stopped", allowed: ["resume"] }))).toEqual(["resume", "stop"]);
});

test("the tab's title begins with the progress", () => {
  expect(runTitle(run())).toBe("42 % · PPO on CartPole-v1 · RL Lab");
  expect(runTitle(run({ status: "failed" }))).toBe("failed · PPO on CartPole-v1 · RL Lab");
});
