import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
import { act, renderHook } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";
import type { CodeVersion, Run } from "@/api/types";
import { draftKey, draftKeys, keepDraft, recallDraft } from "@/entities/codes/drafts";
import { keys } from "@/entities/query-keys";
import { useEditReward } from "./use-edit-reward";

const NEW = draftKey("reward", null, null);
const run = { id: "r1", env_id: "CartPole-v1" } as Run;

beforeEach(() => {
  localStorage.clear();
  draftKeys.set([]);
});

function opened(saved?: CodeVersion) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  client.setQueryData(keys.runReward("r1"), { source: "of the run" });
  const root = createRootRoute();
  const workbench = createRoute({ getParentRoute: () => root, path: "/workbench" });
  const router = createRouter({
    routeTree: root.addChildren([workbench]),
    history: createMemoryHistory({ initialEntries: ["/"] }),
  });
  const { result } = renderHook(() => useEditReward(run, saved), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>
        <RouterContextProvider router={router as never}>{children}</RouterContextProvider>
      </QueryClientProvider>
    ),
  });
  return { editing: result, address: () => router.latestLocation.search as Record<string, unknown> };
}

test("a saved reward is opened under the name that it has now", async () => {
  const { editing, address } = opened({ name: "soft", version: 2 } as CodeVersion);
  await act(async () => editing.current.edit());
  expect(address()).toMatchObject({ name: "soft", version: 2, run: "r1" });
  expect(recallDraft(NEW)).toBeNull();
});

test("a reward that is no longer saved is opened as a copy", async () => {
  const { editing, address } = opened();
  await act(async () => editing.current.edit());
  expect(address()).toMatchObject({ name: "new", run: "r1" });
  expect(recallDraft(NEW)).toEqual({ source: "of the run", env_id: "CartPole-v1" });
});

test("a new reward that is not saved is not replaced without asking", async () => {
  keepDraft(NEW, { source: "typed", env_id: "" });
  const { editing, address } = opened();
  await act(async () => editing.current.edit());
  expect([editing.current.isAsking, recallDraft(NEW)?.source, address().name]).toEqual([
    true,
    "typed",
    undefined,
  ]);
  await act(async () => editing.current.replace());
  expect([recallDraft(NEW)?.source, address().name]).toEqual(["of the run", "new"]);
});
