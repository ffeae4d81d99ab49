import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Live } from "@/api/live";
import type { AlertFiring } from "@/api/types";
import { live } from "@/api/use-live";
import { toasts } from "@/ui/toasts";
import { useAlertNotices } from "./use-alert-notices";

const firing = (run: number, at = run): AlertFiring =>
  ({
    alert_id: "a",
    alert_name: "good",
    run_id: `r${run}`,
    message: `run ${run} is good`,
    at: new Date(at * 1000).toISOString(),
  }) as AlertFiring;

let stored: AlertFiring[] = [];
let requests = 0;
let deliver: Parameters<Live["subscribe"]>[2] = () => {};
const arrive = (...items: AlertFiring[]) => act(() => deliver({ topic: "alerts", cursor: null, items }));
const texts = () => toasts.get().map(({ text }) => text);

beforeEach(() => {
  [stored, requests] = [[], 0];
  toasts.set([]);
  vi.stubGlobal("fetch", async () => {
    requests++;
    return Response.json(stored);
  });
  vi.spyOn(live, "subscribe").mockImplementation((_topic, _since, onBatch) => {
    deliver = onBatch;
    return () => {};
  });
});
afterEach(() => {
  live.state.set("connecting");
  toasts.set([]);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The page with a connection, after it has fetched what fired before. */
async function open() {
  const client = new QueryClient();
  renderHook(() => useAlertNotices(() => {}), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  await reconnect();
}

async function reconnect() {
  const before = requests;
  act(() => live.state.set("connected"));
  await waitFor(() => expect(requests).toBe(before + 1));
  await act(async () => {});
}
const lose = () => act(() => live.state.set("reconnecting"));

test("what fired before the page was opened is no news", async () => {
  stored = [firing(1)];
  await open();
  expect(texts()).toEqual([]);
});

test("an alert that fires while the connection is lost is shown once when it is back", async () => {
  stored = [firing(1)];
  await open();
  lose();
  stored = [firing(2), firing(1)];
  await reconnect();
  await waitFor(() => expect(texts()).toEqual(["Alert: run 2 is good"]));
  lose();
  await reconnect();
  arrive(firing(2));
  expect(texts()).toEqual(["Alert: run 2 is good"]);
});

test("an alert that arrived live is not shown again after a loss", async () => {
  await open();
  arrive(firing(1));
  arrive(firing(1));
  lose();
  stored = [firing(1)];
  await reconnect();
  expect(texts()).toEqual(["Alert: run 1 is good"]);
});

test("of many missed alerts the newest are shown, and how many more there are", async () => {
  await open();
  lose();
  stored = [5, 4, 3, 2, 1].map((run) => firing(run));
  await reconnect();
  await waitFor(() => expect(texts()).toHaveLength(4));
  expect(texts()[0]).toMatch(/^2 more alerts fired/);
  expect(texts().slice(1)).toEqual([3, 4, 5].map((run) => `Alert: run ${run} is good`));
});
