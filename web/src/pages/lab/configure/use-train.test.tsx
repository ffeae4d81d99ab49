import { onlineManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
import { renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { codeConsent } from "@/panels/code-consent/dialog";
import { consentDialog } from "@/panels/script-dialog/dialogs";
import { toasts } from "@/ui/toasts";
import { useTrain, useTrainStudy } from "./use-train";

afterEach(() => {
  onlineManager.setOnline(true);
  vi.unstubAllGlobals();
  toasts.set([]);
  codeConsent.set(null);
  consentDialog.set(null);
});

const client = new QueryClient({ defaultOptions: { mutations: { networkMode: "always", retry: false } } });
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() });
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>
    <RouterContextProvider router={router as never}>{children}</RouterContextProvider>
  </QueryClientProvider>
);

/** Answers every request with these problems, one after the other; the last one again and again. */
function refuse(...problems: { type: string }[]) {
  const bodies: Record<string, unknown>[] = [];
  const send = vi.fn(async (request: Request) => {
    bodies.push(await request.json());
    const problem = problems[Math.min(bodies.length, problems.length) - 1]!;
    return Response.json(problem, { status: problem.type.endsWith("consent-needed") ? 428 : 422 });
  });
  vi.stubGlobal("fetch", send);
  return bodies;
}

const HASH = "a".repeat(64);
const consentNeeded = (sha256?: string) => ({
  type: "urn:rl-lab:consent-needed",
  detail: "Not isolated.",
  errors: sha256 ? [{ field: "consent", message: "", allowed: [sha256] }] : null,
});
const WANTED = { env_id: "own:grid-v1", algorithm: "ppo" };

test("TRAIN without a connection says that nothing was started, and nothing is sent later", async () => {
  const send = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));
  vi.stubGlobal("fetch", send);
  onlineManager.setOnline(false);
  const started = vi.fn();
  const { result } = renderHook(() => useTrain(started), { wrapper });
  result.current.mutate({ env_id: "CartPole-v1", algorithm: "ppo" });
  await waitFor(() => expect(toasts.get().at(-1)?.text).toMatch(/^No connection; nothing was started\./));
  onlineManager.setOnline(true);
  await client.resumePausedMutations();
  expect(send).toHaveBeenCalledTimes(1);
  expect(started).not.toHaveBeenCalled();
});

test("TRAIN that is refused because of a field says so, also where the field is out of view", async () => {
  const wrong = { field: "env_kwargs.wrappers", message: "There is no environment “grit”." };
  refuse({ type: "urn:rl-lab:invalid-input", errors: [wrong] } as { type: string });
  const { result } = renderHook(() => useTrain(() => {}), { wrapper });
  result.current.mutate(WANTED);
  await waitFor(() => expect(toasts.get().at(-1)?.text).toMatch(/^Nothing was started/));
});

test("an environment of one's own asks for its code, not for the command of a script", async () => {
  const bodies = refuse(consentNeeded(HASH));
  const { result } = renderHook(() => useTrain(() => {}), { wrapper });
  result.current.mutate(WANTED);
  await waitFor(() => expect(codeConsent.get()?.sha256).toBe(HASH));
  expect(consentDialog.get()).toBeNull();
  codeConsent.get()!.onApprove(HASH);
  await waitFor(() => expect(bodies.at(-1)).toMatchObject({ env_id: "own:grid-v1", consent: HASH }));
});

test("a script still asks for its command, after the code that it learns from", async () => {
  refuse(consentNeeded(HASH), consentNeeded());
  const { result } = renderHook(() => useTrain(() => {}), { wrapper });
  result.current.mutate(WANTED);
  await waitFor(() => expect(codeConsent.get()).not.toBeNull());
  codeConsent.get()!.onApprove(HASH);
  await waitFor(() => expect(consentDialog.get()?.wanted).toEqual(WANTED));
});

test("several seeds open the same dialog, and the approval starts the study", async () => {
  const bodies = refuse(consentNeeded(HASH));
  const { result } = renderHook(() => useTrainStudy(() => {}), { wrapper });
  result.current.mutate({ run: WANTED, seeds: 3 });
  await waitFor(() => expect(codeConsent.get()).not.toBeNull());
  expect(toasts.get()).toEqual([]);
  codeConsent.get()!.onApprove(HASH);
  await waitFor(() => expect(bodies.at(-1)).toMatchObject({ seeds: 3, base: { consent: HASH } }));
});
