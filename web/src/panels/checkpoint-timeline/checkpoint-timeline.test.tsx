import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Artifact, Run } from "@/api/types";
import { artifactsQuery } from "@/entities/artifacts/queries";
import CheckpointTimeline from "./CheckpointTimeline";
import { placeOf } from "./timeline";

// Some actions open another page, and there is no router here.
vi.mock("@tanstack/react-router", () => ({ useNavigate: () => () => undefined }));

const RUN = {
  id: "r1",
  kind: "train",
  name: "lander",
  config: { kind: "train", evaluate_every: 1000, evaluate_episodes: 5 },
  status: "stopped",
  allowed: ["resume"],
  progress: { timestep: 40_000 },
} as unknown as Run;
const file = (timestep: number, role: string, sha256: string, more: Partial<Artifact> = {}) =>
  ({
    id: `${role}-${timestep}`,
    run_id: "r1",
    kind: "checkpoint",
    title: "",
    path: `${role}-${timestep}`,
    timestep,
    role,
    sha256,
    size: 1_200_000,
    tags: [],
    note: "",
    ...more,
  }) as Artifact;
const evaluation = { mean: 213, protocol: "evaluate_every", episodes: 5 } as Artifact["evaluation"];
const FILES = [
  file(10_000, "interval", "a"),
  file(20_000, "interval", "b", { evaluation, tags: ["good"], pinned: true }),
  file(20_000, "best", "b", { evaluation }),
  file(40_000, "final", "c", { score: 180 }),
];

function show(range: [number, number] = [0, 40_000], isWhole = false) {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  client.setQueryData(artifactsQuery("r1").queryKey, FILES);
  render(
    <QueryClientProvider client={client}>
      <CheckpointTimeline run={RUN} range={range} isWhole={isWhole} onTested={() => undefined} />
    </QueryClientProvider>,
  );
}

const marks = () => screen.getAllByRole("button");

test("each checkpoint is a mark at its step that says what it is", () => {
  show();
  expect(marks().map((mark) => mark.style.left)).toEqual(["25%", "50%", "100%"]);
  expect(marks()[1]!.getAttribute("aria-label")).toBe(
    "Step 20,000 · best by evaluation on 5 fixed seeds · return 213 (evaluation on 5 fixed seeds) · 1.2 MB · pinned · tags good",
  );
  expect(screen.getByTestId("checkpoint-facts").textContent).toContain("never removed automatically");
  fireEvent.focus(marks()[2]!);
  expect(screen.getByTestId("checkpoint-facts").textContent).toContain("newest · return 180 in training");
});

test("only the steps that the chart shows have marks", () => {
  show([15_000, 35_000]);
  expect(marks()).toHaveLength(1);
  const outside = [placeOf(null, [0, 1], false), placeOf(2, [0, 1], false), placeOf(1, [1, 1], true)];
  expect(outside).toEqual([null, null, null]);
});

test("the newest checkpoint, saved after the last episode ended, is at the end of the whole curve", () => {
  show([500, 39_000], true);
  expect(marks()).toHaveLength(3);
  expect(marks()[2]!.style.left).toBe("100%");
});

test("arrow keys move between the marks, Enter opens what can be done", async () => {
  show();
  marks()[0]!.focus();
  fireEvent.keyDown(marks()[0]!, { key: "ArrowRight" });
  expect(document.activeElement).toBe(marks()[1]);
  fireEvent.keyDown(marks()[1]!, { key: "End" });
  expect(document.activeElement).toBe(marks()[2]);
  fireEvent.keyDown(marks()[2]!, { key: "Enter" });
  const items = (await screen.findAllByRole("menuitem")).map((item) => item.textContent);
  expect(items[0]).toBe("Open");
  expect(items).toContain("Resume its run from here…");
  expect(items).not.toContain("Open its run");
});
