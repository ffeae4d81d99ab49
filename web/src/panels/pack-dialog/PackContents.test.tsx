import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { PackPreview } from "@/api/types";
import { PackContents } from "./PackContents";

const PREVIEW = {
  manifest: {
    packed_at: "2026-01-31T12:00:00Z",
    lab_version: "0.1.0",
    runs: [{ id: "r1", name: "BC on CartPole-v1", status: "succeeded", steps: 40 }],
    datasets: [{ sha256: "a", name: "pole", version: 3, episodes: 120, transitions: 24_000, size: 2048 }],
  },
  problems: ["lander: the dataset swing@v1 is left out: it was deleted."],
} as unknown as PackPreview;

test("a pack shows the datasets that are in it, and those that were left out", () => {
  render(<PackContents preview={PREVIEW} />);
  expect(screen.getByText("Dataset pole@v3: 120 episodes, 24,000 steps, 2.05 kB")).toBeTruthy();
  expect(screen.getByText(/swing@v1 is left out/)).toBeTruthy();
});

test("a pack that was imported before says that it adds no run", () => {
  render(<PackContents preview={{ ...PREVIEW, is_here: true }} />);
  expect(screen.getByText(/importing it again adds no run/)).toBeTruthy();
});
