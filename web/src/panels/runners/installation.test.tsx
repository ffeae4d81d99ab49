import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Runner } from "@/api/types";
import { runnersQuery } from "@/entities/runners/queries";
import { Installation } from "./Installation";

const problem = { module: "torch", remedy: "Install the extra sb3.", is_met: null, extra: "sb3" };
const missing = {
  id: "sb3",
  name: "Stable-Baselines3",
  ready: false,
  problems: [problem],
  interpreter: null,
  preparing: null,
} as unknown as Runner;
const preparing = (state: string, error: string | null = null) =>
  ({ ...missing, preparing: { state, lines: ["Collecting torch"], error } }) as Runner;

let stored: Runner;
let posts: string[];
beforeEach(() => {
  vi.useFakeTimers();
  posts = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "POST") {
      posts.push(new URL(request.url).pathname);
      stored = preparing("running");
      return Response.json(stored, { status: 202 });
    }
    return Response.json([stored]);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function First() {
  const runner = useQuery(runnersQuery).data?.[0];
  return runner ? (
    <>
      <p>{runner.ready ? "ready" : "not ready"}</p>
      <Installation runner={runner} />
    </>
  ) : null;
}

async function show(runner: Runner) {
  stored = runner;
  render(
    <QueryClientProvider client={new QueryClient()}>
      <First />
    </QueryClientProvider>,
  );
  await pass(0);
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("a runner is installed with one click and becomes ready without a reload", async () => {
  await show(missing);
  fireEvent.click(screen.getByRole("button", { name: "Install" }));
  await pass(0);
  expect(posts).toEqual(["/api/runners/sb3/install"]);
  expect(screen.getByRole("status").textContent).toBe("Installing…");
  expect(screen.getByText("Collecting torch")).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
  stored = { ...preparing("done"), ready: true, problems: [] };
  await pass(3_000);
  expect(screen.getByText("ready")).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
});

test("a failed installation shows the reason and can be tried again", async () => {
  await show(preparing("failed", "pip could not reach the package index."));
  expect(screen.getByRole("status").textContent).toBe("pip could not reach the package index.");
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await pass(0);
  expect(posts).toEqual(["/api/runners/sb3/install"]);
  expect(screen.getByRole("status").textContent).toBe("Installing…");
});

test("a runner with a separate Python is prepared instead", async () => {
  await show({
    ...missing,
    id: "cleanrl",
    interpreter: "/venv/bin/python",
    problems: [{ ...problem, extra: null }],
  });
  fireEvent.click(screen.getByRole("button", { name: "Install" }));
  await pass(0);
  expect(posts).toEqual(["/api/runners/cleanrl/prepare"]);
});

test("what the lab cannot install has no button", async () => {
  await show({ ...missing, problems: [{ ...problem, extra: null }] });
  expect(screen.queryByRole("button")).toBeNull();
});
