import { MutationObserver, onlineManager } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { unreachable } from "@/api/problem";
import { toasts } from "@/ui/toasts";
import { queryClient } from "./query-client";

afterEach(() => {
  onlineManager.setOnline(true);
  toasts.set([]);
});

test("an action without a connection fails at once, says so, and is not sent later", async () => {
  const send = vi.fn(() => Promise.reject(unreachable()));
  onlineManager.setOnline(false);
  const action = new MutationObserver(queryClient, { mutationFn: send });
  await expect(action.mutate()).rejects.toThrow();
  expect(toasts.get().at(-1)?.text).toMatch(/^No connection; nothing was changed\./);
  onlineManager.setOnline(true);
  await queryClient.resumePausedMutations();
  expect(send).toHaveBeenCalledTimes(1);
});
