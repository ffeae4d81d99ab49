import { expect, test } from "vitest";
import type { CheckpointDifference } from "@/api/types";
import { byChange, configurationsOf, weightsText } from "./difference";

const tensor = (name: string, relative: number | null, maximum = 1) => ({
  name,
  relative,
  maximum,
  shape: [4],
});
const difference = (change: object) =>
  ({
    tensors: [],
    shapes: [],
    has_same_weights: false,
    configuration: [],
    ...change,
  }) as unknown as CheckpointDifference;

test("the tensors that changed most come first", () => {
  const tensors = [tensor("a", 0.1), tensor("b", null), tensor("c", 0.5)];
  expect(byChange(difference({ tensors }).tensors).map(({ name }) => name)).toEqual(["c", "a", "b"]);
});

test("how far the weights are apart is said in a sentence", () => {
  expect(weightsText(difference({ has_same_weights: true }))).toBe("The weights are identical.");
  expect(weightsText(difference({}))).toContain("different networks");
  const tensors = [tensor("a", 0.1), tensor("c", 0.5), tensor("d", 0, 0)];
  expect(weightsText(difference({ tensors, shapes: [{}] }))).toBe(
    "2 of 3 tensors differ. Most of all c, by 50 % of its norm. 1 tensor cannot be compared: other shapes.",
  );
});

test("a setting that one side does not have is absent there", () => {
  const configuration = [{ name: "gamma", first: 0.9, second: null }];
  expect(configurationsOf(difference({ configuration }))).toEqual({
    first: { gamma: 0.9 },
    second: { gamma: undefined },
  });
});
