import { QueryClient, QueryClientProvider, type UseQueryResult } from "@tanstack/react-query";
import { fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Code, CodeVersion } from "@/api/types";
import { codeConsent } from "@/panels/code-consent/dialog";
import { BenchPanel } from "./BenchPanel";
import { codeWith } from "./use-approved-bench";

vi.mock("./EpisodeSource", () => ({ EpisodeSource: () => null }));

afterEach(() => {
  vi.unstubAllGlobals();
  codeConsent.set(null);
});

const HASH = "a".repeat(64);
const TYPED = "def reward(obs):\n    return 7.0";
const REFUSED = {
  type: "urn:rl-lab:consent-needed",
  detail: "Not isolated: this machine cannot confine it.",
  errors: [{ field: "consent", message: "", allowed: [HASH] }],
};
const DONE = JSON.stringify({ type: "done", seconds: 1, episodes: 0, steps: 0, simulated: 0 });

/** Runs the bench only with an approval, as a lab without confinement does. */
function stubLab() {
  const bodies: { consents?: string[] }[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const body = await request.json();
    bodies.push(body);
    if (!body.consents?.includes(HASH)) return Response.json(REFUSED, { status: 428 });
    return new Response(`${DONE}\n`, { headers: { "content-type": "application/x-ndjson" } });
  });
  return bodies;
}

const drawBench = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <BenchPanel
        open={{ source: TYPED, envId: "CartPole-v1", isChanged: true, version: null }}
        known={{ data: [] as Code[] } as UseQueryResult<Code[]>}
        runId={null}
      />
    </QueryClientProvider>,
  );

test("a reward that the machine cannot confine is approved in the bench, with its text in view", async () => {
  const bodies = stubLab();
  drawBench();
  fireEvent.click(screen.getByRole("button", { name: "Try it" }));
  const dialog = await screen.findByRole("dialog", { name: "Not isolated" });
  expect(dialog.textContent).toContain("return 7.0");
  fireEvent.click(within(dialog).getByRole("button", { name: "Approve and try it" }));
  await waitFor(() => expect(bodies.at(-1)?.consents).toEqual([HASH]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(screen.queryByText(REFUSED.detail)).toBeNull();
});

test("leaving the page closes the question", async () => {
  stubLab();
  const { unmount } = drawBench();
  fireEvent.click(screen.getByRole("button", { name: "Try it" }));
  await screen.findByRole("dialog");
  unmount();
  expect(codeConsent.get()).toBeNull();
});

test("of several rewards, the one with the hash is shown", () => {
  const saved = { name: "gentle", version: 2, sha256: HASH, source: "saved" } as CodeVersion;
  const request = {
    rewards: [
      { name: "unsaved", source: TYPED },
      { name: "gentle", version: 2 },
    ],
  };
  expect(codeWith(HASH, request, [saved])).toEqual({ title: "gentle@v2", source: "saved" });
  expect(codeWith("b".repeat(64), request, [saved])).toEqual({ title: "unsaved", source: TYPED });
});
