import { onlineManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { toasts } from "@/ui/toasts";
import { useTrain } from "./use-train";

afterEach(() => {
  onlineManager.setOnline(true);
  vi.unstubAllGlobals();
  toasts.set([]);
});

test("TRAIN without a connection says that nothing was started, and nothing is sent later", async () => {
  const send = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));
  vi.stubGlobal("fetch", send);
  onlineManager.setOnline(false);
  const client = new QueryClient({ defaultOptions: { mutations: { networkMode: "always", retry: false } } });
  const started = vi.fn();
  const { result } = renderHook(() => useTrain(started), {
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
  result.current.mutate({ env_id: "CartPole-v1", algorithm: "ppo" });
  await waitFor(() => expect(toasts.get().at(-1)?.text).toMatch(/^No connection; nothing was started\./));
  onlineManager.setOnline(true);
  await client.resumePausedMutations();
  expect(send).toHaveBeenCalledTimes(1);
  expect(started).not.toHaveBeenCalled();
});
