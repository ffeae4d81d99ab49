import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { AggregateCurves, Comparison, Run, Variant } from "@/api/types";
import { freshSeeds, planMoreSeeds, runsOf, whyNoMoreSeeds } from "@/entities/comparisons/more-seeds";
import { TooltipProvider } from "@/ui/Tooltip";
import { lackingOf, whyNotYet } from "./AddSeeds";
import { notesOf } from "./GroupTable";
import { bandText, groupLine } from "./group-curves";
import { groupsOf } from "./groups";
import { missingSeeds } from "./use-missing-seeds";
import { chosenReference, openVerdicts, VerdictsPanel } from "./VerdictsPanel";

const run = (id: string, seed: number, lr: number, study: [string, number] | null = null): Run =>
  ({
    id,
    name: id,
    status: "succeeded",
    kind: "train",
    study_id: study?.[0] ?? null,
    variant: study?.[1] ?? null,
    source: null,
    config: { kind: "train", algorithm: "ppo", env_id: "CartPole-v1", seed, params: { lr } },
  }) as unknown as Run;

const runs = [run("a1", 1, 0.1), run("a2", 2, 0.1), run("b1", 1, 0.2)];

const verdict = (group: string, more: number | null = null) => ({
  group,
  reference: "lr 0.1",
  outcome: more === null ? "better" : "not established",
  sentence: `About ${group}.`,
  advice: more === null ? null : `About ${more} more seeds would settle it.`,
  more_seeds: more,
  seeds_needed: more === null ? null : 5,
  seeds: [1, 2],
});
const group = (label: string, run_ids: string[], notes: string[] = []) => ({
  label,
  run_ids,
  notes,
  statistics: { final: { mean: run_ids.length, missing: 0 } },
});
const comparison = {
  measure: "final",
  measures: {
    final: "mean return of the last 100 episodes",
    evaluation: "mean return of the newest evaluation",
    best: "best mean over 100 episodes",
    area: "mean height of the learning curve",
  },
  protocols: [],
  groups: [group("lr 0.1", ["a1", "a2"], ["1 of 2 seeds ended early."]), group("lr 0.2", ["b1"])],
  verdicts: [verdict("lr 0.2", 4)],
  correction: "One comparison: nothing to correct.",
  recommendation: "Keep lr 0.1.",
  notes: [],
} as unknown as Comparison;

const shown = (missing: string[] = []) => {
  const onSearch = vi.fn();
  const onMore = vi.fn();
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TooltipProvider>
        <VerdictsPanel
          comparison={comparison}
          groups={groupsOf(runs)}
          missing={missing}
          search={{}}
          onSearch={onSearch}
          onMore={onMore}
        />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return { onSearch, onMore };
};

test("the verdict stands first, with correction, recommendation and what would settle it", () => {
  const { onSearch, onMore } = shown(["b2"]);
  for (const text of [
    "Not established",
    "About lr 0.2.",
    "One comparison: nothing to correct.",
    "Keep lr 0.1.",
  ])
    expect(screen.getByText(text)).toBeTruthy();
  fireEvent.change(screen.getByLabelText("Compared with"), { target: { value: "b1" } });
  expect(onSearch).toHaveBeenCalledWith({ reference: "b1" });
  fireEvent.change(screen.getByLabelText("Measure"), { target: { value: "area" } });
  expect(onSearch).toHaveBeenCalledWith({ measure: "area" });
  fireEvent.click(screen.getByText("Compare it too"));
  expect(onMore).toHaveBeenCalledWith(["b2"]);
});

test("adding seeds asks first, and names how many runs of which configuration", () => {
  shown();
  fireEvent.click(screen.getByRole("button", { name: "Add 4 seeds" }));
  expect(screen.getByRole("dialog", { name: "Train 7 more runs?" })).toBeTruthy();
  expect(screen.getByText(/lr 0.2.*: 4 more seeds/)).toBeTruthy();
  expect(screen.getByText(/lr 0.1.*: 3 more seeds/)).toBeTruthy();
});

test("of many verdicts the one on the best configuration is open", () => {
  const many = { ...comparison, verdicts: Array.from({ length: 9 }, (_, i) => verdict(`v${i}`)) };
  many.groups = [...comparison.groups, group("v7", ["x", "y", "z"]) as never];
  expect(openVerdicts(many as Comparison).map((one) => one.group)).toEqual(["v7"]);
  expect(openVerdicts(comparison)).toHaveLength(1);
});

test("a reference is chosen by any run of its group, and one that is gone is the first", () => {
  expect(chosenReference(comparison, "a2")).toBe("a1");
  expect(chosenReference(comparison, "gone")).toBe("first");
  expect(chosenReference(comparison, "best")).toBe("best");
});

test("only configurations that have too few seeds get more, with seeds that none of them has", () => {
  const [a, b] = groupsOf(runs) as [never, never];
  const enough = { ...comparison.verdicts[0]!, seeds: [1, 5] as [number, number] };
  expect(lackingOf(enough, [b, a]).map((one) => one.count)).toEqual([4]);
  expect(freshSeeds(runs, 3)).toEqual([3, 4, 5]);
  const plan = planMoreSeeds([{ runs: runs.slice(2), count: 2 }]);
  expect(plan).toEqual({
    kind: "runs",
    repeats: [
      { run: runs[2], seed: 2 },
      { run: runs[2], seed: 3 },
    ],
  });
  expect(whyNoMoreSeeds(plan)).toBeNull();
  const adopted = { ...runs[2]!, source: { tool: "x" } } as unknown as Run;
  expect(whyNoMoreSeeds(planMoreSeeds([{ runs: [adopted], count: 1 }]))).toContain("adopted");
});

test("seeds that were just added are not added twice", () => {
  expect(whyNotYet(groupsOf(runs), false)).toBeNull();
  expect(whyNotYet(groupsOf(runs), true)).toContain("compare them first");
  const training = [...runs, { ...run("a3", 3, 0.1), status: "running" } as Run];
  expect(whyNotYet(groupsOf(training), false)).toContain("still to end");
});

test("runs of one study get their seeds from it", () => {
  const ours = [run("a1", 1, 0.1, ["s", 1]), run("b1", 1, 0.2, ["s", 2])];
  const plan = planMoreSeeds(ours.map((one) => ({ runs: [one], count: 4 })));
  expect(plan).toEqual({ kind: "study", studyId: "s", variants: [1, 2], count: 4 });
  expect(runsOf(plan)).toBe(8);
  const mixed = planMoreSeeds([ours[0]!, run("c1", 1, 0.3)].map((one) => ({ runs: [one], count: 1 })));
  expect(mixed.kind).toBe("runs");
  const variant = (number: number, run_ids: string[]) => ({ study_id: "s", number, run_ids }) as Variant;
  expect(missingSeeds(ours.slice(0, 1), [variant(1, ["a1", "a2"]), variant(2, ["b1"])])).toEqual(["a2"]);
});

test("notes on seeds are in the open, each with its configuration", () => {
  expect(notesOf(comparison.groups, "final")).toEqual(["lr 0.1: 1 of 2 seeds ended early."]);
});

const curves = {
  statistic: "mean",
  level: 0.95,
  groups: [
    {
      run_ids: ["a1", "a2"],
      step: [0, 1],
      value: [1, 2],
      low: [0, null],
      high: [3, null],
      least: [0, 0],
      most: [9, 9],
      seeds: [5, 4],
    },
    { run_ids: ["b1"], step: [0], value: [1], low: [null], high: [null], least: [-1], most: [4], seeds: [2] },
  ],
} as unknown as AggregateCurves;

test("a band is an interval; of few seeds it goes from the lowest to the highest, and the text says so", () => {
  const as = { id: "x", label: "x", colour: "red" };
  expect(groupLine(curves, { runs: runs.slice(0, 2) }, as)).toMatchObject({ low: [0, null], counts: [5, 4] });
  expect(groupLine(curves, { runs: runs.slice(2) }, as)).toMatchObject({ low: [-1], high: [4] });
  expect(groupLine(curves, { runs: [run("z", 1, 1)] }, as)).toBeNull();
  const text = bandText(curves, (ids) => ids.join());
  expect(text).toContain("confidence interval at each step (95 %)");
  expect(text).toContain("the band of b1 reaches from the lowest to the highest seed");
});
