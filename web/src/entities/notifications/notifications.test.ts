import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook } from "@testing-library/react";
import { createElement, type ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Live } from "@/api/live";
import type { Environment, Run, RunStatus } from "@/api/types";
import { live } from "@/api/use-live";
import { noticeOf } from "./notice";
import { notificationsOn, switchNotifications } from "./notifications";
import { useNotifications } from "./use-notifications";

const run = (status: RunStatus, more: Partial<Run> = {}): Run =>
  ({
    id: "r1",
    name: "PPO",
    kind: "train",
    status,
    source: null,
    reason: { cause: "done", message: "Out of memory." },
    summary: { mean_reward: 480 },
    progress: { timestep: 60_000, episodes: 300 },
    config: { kind: "train", env_id: "CartPole-v1" },
    ...more,
  }) as unknown as Run;

test("a run that ended is announced as solved, done or failed", () => {
  const solved = run("succeeded", { reason: { cause: "solved", message: "", next_step: "" } });
  expect(noticeOf(solved, "running")).toEqual({
    title: "Solved: PPO",
    body: "Mean reward 480 after 60,000 steps.",
  });
  expect(noticeOf(run("succeeded"), "running")?.title).toBe("Done: PPO");
  const cartPole = { id: "CartPole-v1", reward_threshold: 475 } as Environment;
  expect(noticeOf(run("succeeded"), "running", [cartPole])?.title).toBe("Solved: PPO");
  const unsolved = run("succeeded", { reason: { cause: "not-solved", message: "", next_step: "" } });
  expect(noticeOf(unsolved, "running", [cartPole])?.title).toBe("Not solved: PPO");
  expect(noticeOf(run("failed"), "running")).toEqual({ title: "Failed: PPO", body: "Out of memory." });
});

test("nothing is announced about the past, about jobs, or about what the user did", () => {
  expect(noticeOf(run("succeeded"), undefined)).toBeNull();
  expect(noticeOf(run("failed"), "failed")).toBeNull();
  expect(noticeOf(run("running"), "starting")).toBeNull();
  expect(noticeOf(run("stopped"), "stopping")).toBeNull();
  expect(noticeOf(run("succeeded", { kind: "evaluate" }), "running")).toBeNull();
});

const shown: { title: string; click: () => void }[] = [];
let isVisible = false;
let deliver: Parameters<Live["subscribe"]>[2] = () => {};

beforeEach(() => {
  shown.length = 0;
  isVisible = false;
  class FakeNotification {
    static permission = "granted";
    static requestPermission = () => Promise.resolve(FakeNotification.permission);
    onclick: () => void = () => {};
    constructor(title: string) {
      shown.push({ title, click: () => this.onclick() });
    }
    close() {}
  }
  vi.stubGlobal("Notification", FakeNotification);
  vi.spyOn(document, "hasFocus").mockImplementation(() => isVisible);
  vi.spyOn(window, "focus").mockImplementation(() => {});
  vi.spyOn(live, "subscribe").mockImplementation((_topic, _since, onBatch) => {
    deliver = onBatch;
    return () => {};
  });
});
afterEach(async () => {
  await switchNotifications(false);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const wrapper = ({ children }: { children: ReactNode }) =>
  createElement(QueryClientProvider, { client: new QueryClient() }, children);

const end = () => {
  for (const status of ["running", "succeeded"] as const)
    deliver({ topic: "runs", cursor: null, items: [run(status)] });
};

test("notifications are off until the user switches them on", () => {
  renderHook(() => useNotifications(() => {}), { wrapper });
  end();
  expect(shown).toEqual([]);
});

test("a run that ends behind another window is announced, and a click opens it", async () => {
  const opened = vi.fn();
  renderHook(() => useNotifications(opened), { wrapper });
  expect(await switchNotifications(true)).toBeNull();
  end();
  expect(shown.map(({ title }) => title)).toEqual(["Done: PPO"]);
  shown[0]!.click();
  expect(opened).toHaveBeenCalledWith("r1");
});

test("a run that ends in front of the user is not announced", async () => {
  renderHook(() => useNotifications(() => {}), { wrapper });
  await switchNotifications(true);
  isVisible = true;
  end();
  expect(shown).toEqual([]);
});

test("a browser that refuses leaves the switch off", async () => {
  (Notification as unknown as { permission: string }).permission = "denied";
  expect(await switchNotifications(true)).toBe("denied");
  expect(notificationsOn.get()).toBe(false);
});
