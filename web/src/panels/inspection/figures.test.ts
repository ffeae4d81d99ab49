import { expect, test } from "vitest";
import type { Inspection } from "@/api/types";
import { batchText, logShares, lowestText, shapeText, surfaceTable, weightsTable } from "./figures";

const SURFACE = {
  steps: [-1, 0, 1],
  values: [
    [3, 2, 3],
    [2, 1, 2],
    [3, null, 0.5],
  ],
  centre: 1,
  minimum: 0.5,
  maximum: 3,
  seed: 0,
} as NonNullable<Inspection["loss_surface"]>;

test("lengths are logarithmic, and the smallest is still seen", () => {
  const [small, middle, large, none] = logShares([0.001, 0.1, 10, 0]);
  expect(small).toBeCloseTo(0.06);
  expect(middle).toBeCloseTo(0.53);
  expect([large, none]).toEqual([1, 0]);
  expect(logShares([null, 0])).toEqual([0, 0]);
  expect(logShares([5, 5])).toEqual([1, 1]);
});

test("the table of the surface has its rows as in the picture, the highest first", () => {
  const { heads, rows } = surfaceTable(SURFACE);
  expect(heads).toEqual(["Second \\ first", "−1", "0", "1"]);
  expect(rows[0]).toEqual(["1", "3", "–", "0.5"]);
  expect(rows[2]![0]).toBe("−1");
});

test("whether the checkpoint is at the lowest place is said in a sentence", () => {
  expect(lowestText(SURFACE)).toContain("lower elsewhere");
  expect(lowestText({ ...SURFACE, minimum: 1 })).toContain("lowest at the checkpoint");
  expect(lowestText({ ...SURFACE, centre: null })).not.toContain("elsewhere");
});

test("shapes, batches and rows read as a person writes them", () => {
  expect([shapeText([4, 64]), shapeText([])]).toEqual(["4 × 64", "1 value"]);
  expect(
    batchText({ env_id: "CartPole-v1", steps: 1024, episodes: 1, seed: 0, policy: "sampled actions" }),
  ).toBe("1,024 steps in CartPole-v1, 1 episode ended, seed 0, sampled actions");
  expect(batchText(null)).toBeNull();
  const weights = [
    { name: "pi.0", shape: [4], norm: 2, mean: 0, std: 1, minimum: -1, maximum: 1, zeros: 0.25 },
  ];
  expect(weightsTable({ weights } as unknown as Inspection).rows).toEqual([
    ["pi.0", "4", "2", "0", "1", "−1", "1", "25.0 %"],
  ]);
});
