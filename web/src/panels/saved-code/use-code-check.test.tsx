import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { CodeCheck } from "@/api/types";
import { useCodeCheck } from "./use-code-check";

const HASH = "5e".repeat(32);
const answer = (line: number): Partial<CodeCheck> => ({
  is_usable: false,
  remarks: [{ line, level: "error", message: "no" }],
});
const json = (body: unknown, status = 200) =>
  Promise.resolve(
    new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } }),
  );

afterEach(() => vi.unstubAllGlobals());

/** Checks at once what is given; `send` is called with the body of each request. */
function checked(source: string, send: (body: { source: string; consent?: string }) => Promise<Response>) {
  vi.stubGlobal("fetch", async (request: Request) => send(await request.json()));
  const client = new QueryClient();
  return renderHook(({ source, file }) => useCodeCheck("reward", { source }, { file, quietMs: 0 }), {
    initialProps: { source, file: "a" },
    wrapper: ({ children }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  });
}

test("remarks about an older text are not given for the current one", async () => {
  const answers = new Map([["old", json(answer(3))]]);
  const waiting = new Promise<Response>(() => undefined);
  const { result, rerender } = checked("old", ({ source }) => answers.get(source) ?? waiting);
  await waitFor(() => expect(result.current.remarks?.[0]?.line).toBe(3));
  rerender({ source: "new", file: "a" });
  expect(result.current.remarks).toBeNull();
  expect(result.current.stale?.remarks[0]?.line).toBe(3);
  await waitFor(() => expect(result.current.isChecking).toBe(true));
  expect([result.current.check, result.current.remarks]).toEqual([null, null]);
});

test("the approval takes the hash from the lab, because not every browser can compute it", async () => {
  vi.stubGlobal("crypto", {});
  const refusal = {
    type: "urn:rl-lab:consent-needed",
    errors: [{ field: "consent", message: "Approve it first.", allowed: [HASH] }],
  };
  const { result } = checked("x", ({ consent }) => (consent === HASH ? json(answer(1)) : json(refusal, 428)));
  await waitFor(() => expect(result.current.approve).not.toBeNull());
  act(() => result.current.approve?.());
  await waitFor(() => expect(result.current.check).not.toBeNull());
  expect(result.current.approve).toBeNull();
});

test("an empty text asks nothing", () => {
  const send = vi.fn(() => json(answer(1)));
  const { result } = checked(" \n", send);
  expect([result.current.isEmpty, result.current.isChecking, result.current.remarks]).toEqual([
    true,
    false,
    [],
  ]);
  expect(send).not.toHaveBeenCalled();
});
