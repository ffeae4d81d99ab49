import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { addToLists, replaceInLists } from "./live-runs";
import { runTitle } from "./page-title";
import { keepRun, runQuery, runsQuery } from "./queries";
import { shownMoves, whyNot } from "./RunMoves";
import { partsOf } from "./RunReason";
import { adoptedFrom, progressText, workDone } from "./words";

const run = (change: Partial<Run> = {}): Run =>
  ({
    id: "1nfk71mp5kag",
    kind: "train",
    archived: false,
    tags: [],
    created_at: "2026-01-01T00:00:00Z",
    config: { kind: "train", env_id: "CartPole-v1", algorithm: "ppo", params: {}, env_kwargs: {} },
    name: "PPO on CartPole-v1",
    status: "running",
    version: 3,
    allowed: ["stop", "pause"],
    paused_wanted: false,
    progress: { fraction: 0.42 },
    ...change,
  }) as unknown as Run;

test("a run that changed is replaced in its place in the lists", () => {
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

test("an older message that arrives late does not overwrite a newer run", () => {
  const client = new QueryClient();
  keepRun(client, run({ version: 5, status: "succeeded" }));
  keepRun(client, run({ version: 4, status: "running" }));
  expect(client.getQueryData(runQuery("1nfk71mp5kag").queryKey)!.status).toBe("succeeded");
});

test("a disabled button gives the reason", () => {
  expect(whyNot(run(), "stop")).toBeNull();
  expect(whyNot(run({ paused_wanted: true }), "pause")).toBe("The run pauses at its next update.");
  expect(whyNot(run({ status: "succeeded", allowed: [] }), "stop")).toBe(
    "A run with status “succeeded” cannot stop.",
  );
  expect(whyNot(run({ status: "stopped", allowed: ["resume"] }), "stop")).toBe(
    "A run with status “stopped” cannot stop. Possible now: resume.",
  );
});

test("the row of moves always has two places", () => {
  expect(shownMoves(run())).toEqual(["pause", "stop"]);
  expect(shownMoves(run({ status: "created", allowed: ["start"] }))).toEqual(["pause", "start"]);
  expect(shownMoves(run({ status: "stopped", allowed: ["resume"] }))).toEqual(["resume"]);
  expect(shownMoves(run({ status: "succeeded", allowed: [] }))).toEqual([]);
  expect(shownMoves(run({ status: "queued", allowed: ["stop"] }))).toEqual(["stop"]);
  expect(shownMoves(run({ status: "followed", allowed: ["stop"] }))).toEqual(["stop"]);
});

test("the tab's title begins with the progress", () => {
  expect(runTitle(run())).toBe("42 % · PPO on CartPole-v1 · RL Lab");
  expect(runTitle(run({ status: "failed" }))).toBe("failed · PPO on CartPole-v1 · RL Lab");
});

const listed = (client: QueryClient, filter = {}) => {
  const data = client.getQueryData(runsQuery(filter).queryKey)!;
  return { ids: data.pages.flatMap((page) => page.items.map((r) => r.id)), total: data.pages[0]!.total };
};
const pages = (...items: Run[]) => ({
  pages: [{ items, next_cursor: null, total: items.length }],
  pageParams: [null],
});

test("a new run is added at the top of the lists it belongs to, and to no other", () => {
  const client = new QueryClient();
  client.setQueryData(runsQuery({}).queryKey, pages(run()));
  client.setQueryData(runsQuery({ kind: "fork" }).queryKey, pages());
  client.setQueryData(runsQuery({ q: "pendulum" }).queryKey, pages());
  addToLists(client, run({ id: "new", created_at: "2026-01-02T00:00:00Z" }));
  expect(listed(client)).toEqual({ ids: ["new", "1nfk71mp5kag"], total: 2 });
  expect(listed(client, { kind: "fork" }).ids).toEqual([]);
  expect(listed(client, { q: "pendulum" }).ids).toEqual([]);
});

test("a deleted run leaves the lists", () => {
  const client = new QueryClient();
  client.setQueryData(runsQuery({}).queryKey, pages(run({ id: "other" }), run()));
  replaceInLists(client, run({ deleted_at: "2026-01-02T00:00:00Z" }));
  expect(listed(client)).toEqual({ ids: ["other"], total: 1 });
});

test("the work of a job is counted in its own unit", () => {
  const counted = (unit: string, timestep: number, total = 0) =>
    run({ progress: { timestep, total_timesteps: total, unit } as Run["progress"] });
  expect(workDone(counted("episode", 5))).toBe("5 episodes");
  expect(workDone(counted("seed", 1))).toBe("1 seed");
  expect(workDone(counted("step", 5))).toBe("5");
  expect(progressText(counted("seed", 3, 10))).toBe("3 of 10 seeds");
  expect(progressText(counted("byte", 20_000_000, 60_000_000))).toBe("20 MB of 60 MB");
});

test("the advice leads to the log where it mentions it", () => {
  expect(partsOf("Try again; the log has the full traceback.")).toEqual([
    "Try again; ",
    "the log has the full traceback",
    ".",
  ]);
  expect(partsOf("Lower the learning rate.")).toEqual(["Lower the learning rate.", "", ""]);
});

test("an adopted run shows how many folders it was read from", () => {
  const source = { folder: "/tb/PPO_1", is_followed: true, joined: [] } as unknown as NonNullable<
    Run["source"]
  >;
  expect(adoptedFrom(source)).toBe("/tb/PPO_1, followed");
  const joined = [
    { folder: "/monitor", evidence: "the same episodes" },
    { folder: "/eval", evidence: "the same values" },
  ];
  expect(adoptedFrom({ ...source, joined })).toBe("/tb/PPO_1 and 2 more folders, followed");
});
