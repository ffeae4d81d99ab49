import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { toasts } from "@/ui/toasts";
import { draftKey, draftKeys, keepDraft, recallDraft } from "./drafts";
import { useDeleteCode, usePatchCode, useSaveCode } from "./use-code-actions";

const version = { kind: "reward", name: "gentle", version: 1, sha256: "a", source: "x" };
const code = { kind: "reward", name: "gentle", env_id: "CartPole-v1", note: "", versions: [version] };
const sent: string[] = [];

/** A lab that has one reward and keeps its environment when the same contents are saved again. */
function lab() {
  vi.stubGlobal("fetch", async (request: Request) => {
    const body = request.method === "GET" || request.method === "DELETE" ? "" : await request.text();
    sent.push(`${request.method} ${body}`.trim());
    const answer =
      request.method === "POST"
        ? version
        : request.method === "PATCH"
          ? { ...code, ...JSON.parse(body) }
          : code;
    return new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } });
  });
}

beforeEach(() => {
  sent.length = 0;
  localStorage.clear();
  draftKeys.set([]);
  lab();
});
afterEach(() => {
  vi.unstubAllGlobals();
  toasts.set([]);
});

const within = () => {
  const client = new QueryClient();
  return {
    wrapper: ({ children }: { children: React.ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  };
};
const save = async (env_id: string) => {
  const onSaved = vi.fn();
  const { result } = renderHook(() => useSaveCode("reward", onSaved), within());
  result.current.mutate({ name: "gentle", source: "x", env_id, note: "" });
  await waitFor(() => expect(onSaved).toHaveBeenCalled());
};

test("the same contents with another environment change the environment, also to any", async () => {
  await save("");
  expect(sent).toContain('PATCH {"env_id":""}');
});

test("contents that are saved for the environment they have change nothing else", async () => {
  await save("CartPole-v1");
  expect(sent.filter((one) => one.startsWith("PATCH"))).toEqual([]);
});

test("a rename takes the unsaved changes along", async () => {
  keepDraft(draftKey("reward", "gentle", 1), { source: "typed", env_id: "" });
  const { result } = renderHook(() => usePatchCode("reward", "gentle"), within());
  result.current.mutate({ name: "soft" });
  await waitFor(() => expect(result.current.isSuccess).toBe(true));
  expect(recallDraft(draftKey("reward", "soft", 1))?.source).toBe("typed");
  expect(draftKeys.get()).toEqual([draftKey("reward", "soft", 1)]);
});

test("what is deleted leaves no unsaved changes for the next one of its name", async () => {
  keepDraft(draftKey("reward", "gentle", 1), { source: "typed", env_id: "" });
  const { result } = renderHook(() => useDeleteCode("reward", "gentle", () => undefined), within());
  result.current.mutate(null);
  await waitFor(() => expect(result.current.isSuccess).toBe(true));
  expect(draftKeys.get()).toEqual([]);
});
