import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Batch, Cursor } from "@/api/live";
import type { Run } from "@/api/types";
import { followQueries, refreshedByStatus } from "./live-refresh";
import { keys } from "./query-keys";

/** A live connection that delivers what a test gives it. */
class FakeLive {
  readonly listeners = new Map<string, Set<(batch: Batch) => void>>();

  subscribe(topic: string, _since: Cursor, onBatch: (batch: Batch) => void): () => void {
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(onBatch));
    return () => listeners.delete(onBatch);
  }

  deliver(topic: string, ...items: unknown[]): void {
    for (const onBatch of this.listeners.get(topic) ?? []) onBatch({ topic, cursor: 1, items });
  }

  topics(): string[] {
    return [...this.listeners].filter(([, listeners]) => listeners.size > 0).map(([topic]) => topic);
  }
}

let client: QueryClient;
let live: FakeLive;
let end: () => void;
beforeEach(() => {
  vi.useFakeTimers();
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  live = new FakeLive();
  end = followQueries(client, live);
});
afterEach(() => {
  end();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Puts a query on the screen; `asked` counts its requests. */
async function show(queryKey: readonly unknown[]) {
  const asked = vi.fn(async () => "answer");
  const hide = new QueryObserver(client, { queryKey, queryFn: asked }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  asked.mockClear();
  return { asked, hide };
}

test("a query on the screen is fetched again when its topic delivers", async () => {
  const { asked } = await show(keys.artifacts("r1"));
  live.deliver("run:r1:artifacts", { run_id: "r1" });
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveBeenCalledTimes(1);
});

test("a query that left the screen is not followed any more", async () => {
  const { asked, hide } = await show(keys.artifacts("r1"));
  expect(live.topics()).toEqual(["run:r1:artifacts"]);
  hide();
  expect(live.topics()).toEqual([]);
  live.deliver("run:r1:artifacts", { run_id: "r1" });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).not.toHaveBeenCalled();
});

test("two observers of one query share a subscription until both are gone", async () => {
  const first = await show(keys.artifacts("r1"));
  const second = await show(keys.artifacts("r1"));
  first.hide();
  expect(live.topics()).toEqual(["run:r1:artifacts"]);
  second.hide();
  expect(live.topics()).toEqual([]);
});

test("a query that was on the screen before is followed too", async () => {
  end();
  await show(keys.artifacts("r1"));
  expect(live.topics()).toEqual([]);
  end = followQueries(client, live);
  expect(live.topics()).toEqual(["run:r1:artifacts"]);
});

test("many ticks ask once at first and once more after the wait", async () => {
  const { asked } = await show(keys.insights("r1"));
  live.deliver("run:r1:metrics", { id: 1 });
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toHaveBeenCalledTimes(1);
  for (let i = 0; i < 5; i++) live.deliver("run:r1:metrics", { id: 2 + i });
  await vi.advanceTimersByTimeAsync(1_500);
  expect(asked).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(600);
  expect(asked).toHaveBeenCalledTimes(2);
});

test("ticks ask for nothing while the page is hidden", async () => {
  const { asked } = await show(keys.insights("r1"));
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  live.deliver("run:r1:metrics", { id: 1 });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked).not.toHaveBeenCalled();
});

test("only events about evaluations refresh the list of evaluations", async () => {
  const { asked } = await show(keys.evaluations("r1"));
  live.deliver("run:r1:events", { type: "checkpoint_saved" });
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).not.toHaveBeenCalled();
  live.deliver("run:r1:events", { type: "evaluation_complete" });
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toHaveBeenCalledTimes(1);
});

test("queries that are not in the table subscribe to nothing", async () => {
  await show(keys.usage);
  await show(keys.insights(null));
  await show(keys.settings);
  expect(live.topics()).toEqual([]);
});

test("a training that runs again, perhaps from an older checkpoint, is asked again for all that it reported", () => {
  const again = refreshedByStatus({ id: "r1", status: "running" } as unknown as Run).map(
    ([family]) => family,
  );
  for (const queryKey of [
    keys.metrics("r1", {}),
    keys.episodes("r1", {}),
    keys.episode("r1", 3),
    keys.returns("r1", {}),
    keys.rewardHistory("r1"),
    keys.landmarks("r1"),
    keys.recordedEpisode("r1"),
  ])
    expect(again).toContain(queryKey[0]);
  const ended = refreshedByStatus({ id: "r1", status: "succeeded" } as unknown as Run);
  expect(ended.map(([family]) => family)).not.toContain("metrics");
});

test("a job that changes its status refreshes what its training shows of it", () => {
  const job = { id: "e1", parent_id: "r1" } as unknown as Run;
  expect(refreshedByStatus(job)).toEqual([
    ["insights", "e1"],
    ["best-episode", "e1"],
    ["wandb", "e1"],
    ["evaluations", "r1"],
    ["verifications", "r1"],
    ["certificates", "r1"],
    ["artifacts", "r1"],
  ]);
});
