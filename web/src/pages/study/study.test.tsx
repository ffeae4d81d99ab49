import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterContextProvider,
} from "@tanstack/react-router";
import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { AggregateCurves, Comparison, Run, Study, Variant } from "@/api/types";
import { plannedRuns, progressWords, remainingSeconds } from "@/entities/studies/status";
import { profilesOf } from "@/panels/profile/ProfilePanel";
import { countText, mainVerdict, variantsOf } from "@/panels/verdict/verdict";
import { nextOrder, rowsOf } from "./rows";
import { bandText, best, nearThreshold, seriesOf } from "./StudyCurves";
import { pointsOf } from "./SweepViews";
import { VerdictPanel } from "./VerdictPanel";

const look = () => ({ colour: "hsl(0 0% 0%)" });
const variant = (number: number, value: number | null, settings = {}) =>
  ({ number, label: `v${number}`, value, settings, seeds: [1, 2], status: "finished" }) as Variant;
const group = (number: number, mean: number) => ({
  label: `v${number}`,
  variant: number,
  run_ids: ["a", "b"],
  statistics: { final: { mean, iqm: -mean, seeds: 2 } },
  profile: { share: [1, 0], low: null, high: null },
});
const verdict = (name: string, outcome: string) => ({
  group: name,
  reference: "v1",
  outcome,
  sentence: name,
});
const comparison = {
  measure: "final",
  scores: [0, 1],
  groups: [group(1, 10), group(2, 30), group(3, 20)],
  verdicts: [verdict("v3", "not established"), verdict("v2", "better")],
} as unknown as Comparison;

test("the verdict on the best group comes first, and the others are counted", () => {
  expect(mainVerdict(comparison)?.group).toBe("v2");
  expect(countText(comparison.verdicts)).toBe("Of 2 comparisons with v1: 1 better, 1 not established.");
  expect(variantsOf(comparison, comparison.verdicts[1]!)).toEqual([1, 2]);
});

test("variants are sorted by their value, those without one last, and unfold to their runs", () => {
  const wanted = {
    variants: [variant(1, 10), variant(2, null), variant(3, 20)],
    comparison: undefined,
    isOwnMeasure: true,
    runs: [{ id: "r", variant: 3 } as Run],
    open: new Set([3]),
    kept: null,
    sort: "-mean",
  };
  const names = (rows: ReturnType<typeof rowsOf>) =>
    rows.map((row) => (row.kind === "run" ? row.run.id : row.variant.number));
  expect(names(rowsOf(wanted))).toEqual([3, "r", 1, 2]);
  expect(names(rowsOf({ ...wanted, sort: "mean", open: new Set() }))).toEqual([1, 3, 2]);
  expect(names(rowsOf({ ...wanted, kept: [1] }))).toEqual([1]);
  expect(names(rowsOf({ ...wanted, comparison, open: new Set(), sort: "-iqm" }))).toEqual([1, 3, 2]);
  expect(
    names(rowsOf({ ...wanted, comparison, isOwnMeasure: false, open: new Set() })),
    "another measure: its means instead of the values that variants keep",
  ).toEqual([2, 3, 1]);
  expect([nextOrder("mean", "-mean"), nextOrder("mean", "mean"), nextOrder("mean", "number")]).toEqual([
    "mean",
    undefined,
    "-mean",
  ]);
});

const curves = (level: number | null) =>
  ({
    level,
    statistic: "iqm",
    notes: ["One seed ended early."],
    groups: [1, 2, 3].map((number) => ({
      label: `v${number}`,
      variant: number,
      run_ids: ["a"],
      step: [0, 1],
      value: [0, number],
      low: [null, null],
      high: [null, null],
      seeds: [5, 4],
    })),
  }) as unknown as AggregateCurves;

test("the band says what it is, or why there is none", () => {
  expect(bandText(curves(0.95))).toContain("95 % confidence interval of the interquartile mean");
  expect(bandText(curves(null))).toContain("needs at least 5 seeds");
  expect(bandText(curves(null))).toContain("One seed ended early.");
});

test("few lines are those that end highest, with the seeds at each step", () => {
  const series = seriesOf(curves(0.95), look);
  expect(series[0]!.counts).toEqual([5, 4]);
  expect(best(series, 2).map((one) => one.label)).toEqual(["v2", "v3"]);
  expect(profilesOf(comparison, look).map((one) => one.label)).toEqual(["v2", "v3", "v1"]);
});

test("a variant has its place on every axis", () => {
  const axis = (name: string) => ({ name, title: name, is_log: false, low: 0, high: 1 });
  const point = { variant: 1, label: "a", value: 5, x: 0.5, seeds: 1, is_pruned: false };
  const slices = {
    slices: [
      { axis: axis("a"), points: [point] },
      { axis: axis("b"), points: [{ ...point, x: 1 }] },
    ],
  };
  expect(pointsOf(slices as never)).toEqual([{ variant: 1, label: "a", value: 5, places: { a: 0.5, b: 1 } }]);
});

test("the progress of a TPE sweep counts the points that are still to come", () => {
  const study = {
    status: "running",
    started_at: "2026-01-01T00:00:00Z",
    counts: { planned: 6, runs: 6, ended: 5 },
    plan: { seeds: [1, 2], sweep: { method: "tpe", points: 10 } },
  } as unknown as Study;
  expect(plannedRuns(study)).toBe(20);
  expect(progressWords(study)).toBe("5 of 20 runs");
  expect(remainingSeconds(study, Date.parse("2026-01-01T00:00:50Z"))).toBe(150);
  render(<p>{progressWords({ ...study, counts: { ...study.counts, ended: 20 } })}</p>);
  expect(screen.getByText("20 runs")).toBeTruthy();
});

test("the threshold is drawn once a curve comes near it", () => {
  const line = (ys: number[]) => [{ id: "a", label: "a", colour: "", xs: [0, 1], ys }];
  expect(nearThreshold(475, line([10, 50]))).toBe(null);
  expect(nearThreshold(475, line([10, 300]))).toBe(475);
  expect(nearThreshold(null, line([1, 2]))).toBe(null);
});

test("fresh seeds for the best are offered under the measure by which it is the best", () => {
  const study = { id: "s", best_variant: 1, plan: { measure: "final" }, status: "finished" } as Study;
  const variants = [variant(1, 20), variant(2, 10)];
  const draw = (isOwnMeasure: boolean) =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <RouterContextProvider
          router={createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() }) as never}
        >
          <VerdictPanel
            study={study}
            variants={variants}
            comparison={undefined}
            isOwnMeasure={isOwnMeasure}
            onChoose={() => {}}
          />
        </RouterContextProvider>
      </QueryClientProvider>,
    );
  draw(false);
  expect(screen.queryByRole("button", { name: /fresh seeds/ })).toBeNull();
  draw(true);
  expect(screen.getByRole("button", { name: /fresh seeds/ })).toBeTruthy();
});
