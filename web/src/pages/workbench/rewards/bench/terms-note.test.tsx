import type { UseQueryResult } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { EpisodeTimeline } from "@/api/types";
import { hasNote, TermsNote } from "./TermsNote";

test("a reward that fails on the watched episode shows why", () => {
  const problem = { type: "problem", message: "division by zero", line: 3, step: 7, reward: 1, name: null };
  const rewards = [
    { name: "a", rewards: [1], terms: {}, problem: null },
    { name: "b", rewards: [], terms: {}, problem },
  ];
  const terms = { isSuccess: true, data: { rewards } } as unknown as UseQueryResult<EpisodeTimeline>;
  expect(hasNote(terms)).toBe(true);
  render(<TermsNote terms={terms} />);
  expect(screen.getByRole("alert").textContent).toBe("b: division by zero (line 3, step 7)");
  const fine = { isSuccess: true, data: { rewards: rewards.slice(0, 1) } } as typeof terms;
  expect(hasNote(fine)).toBe(false);
});
