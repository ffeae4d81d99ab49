import { fireEvent, render, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { HighScore, HighScores } from "@/api/types";
import { ScoreLists } from "./ScoreLists";

vi.mock("@tanstack/react-router", () => ({
  Link: ({ children }: { children: React.ReactNode }) => <a href="/">{children}</a>,
}));

const score = (rank: number, more: Partial<HighScore>): HighScore => ({
  rank,
  player: "policy",
  label: `run ${rank}`,
  run_id: `run${rank}`,
  episode: null,
  return: 500,
  length: null,
  seed: null,
  at: "2026-01-02T12:00:00Z",
  arguments: "",
  cited: null,
  ...more,
});

const found: HighScores = {
  env_id: "CartPole-v1",
  returns_note: "",
  threshold: 475,
  groups: [
    { player: "person", scores: [score(1, { player: "person", run_id: "mine", label: "My play" })] },
    { player: "hybrid", scores: [] },
    { player: "policy", scores: Array.from({ length: 8 }, (_, i) => score(1, { run_id: `solved ${i}` })) },
  ],
  changed: [score(1, { player: "person", run_id: "odd", arguments: "time limit 900" })],
};

test("people are shown above any number of solved runs", () => {
  render(<ScoreLists found={found} runId="mine" />);
  const people = screen.getByRole("region", { name: "People" });
  expect(people.textContent).toContain("your best");
  expect(people.textContent).toContain("this play");
  expect(screen.queryByRole("region", { name: "People and policies" })).toBeNull();
  const policies = screen.getByRole("region", { name: "Policies" });
  expect(within(policies).getAllByRole("listitem")).toHaveLength(5);
  fireEvent.click(within(policies).getByRole("button", { name: "Show 3 more" }));
  expect(within(policies).getAllByRole("listitem")).toHaveLength(8);
});

test("other arguments are named, and no best of one’s own", () => {
  render(<ScoreLists found={found} />);
  const changed = screen.getByRole("region", { name: "With other arguments" });
  expect(changed.textContent).toContain("person, time limit 900");
  expect(changed.textContent).not.toContain("your best");
});
