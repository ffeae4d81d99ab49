import { expect, test } from "vitest";
import { problemFrom } from "@/api/problem";
import type { Model } from "@/api/types";
import { tagsFrom } from "@/entities/checkpoints/tags";
import { effectText, nameProblem, namingOf, nextVersion, problemsOf } from "./draft";

const LANDER = {
  name: "lander",
  versions: [
    { version: 3, labels: ["production"] },
    { version: 1, labels: [] },
  ],
} as unknown as Model;
const draft = (change: object) => ({ name: "", labels: "", note: "", ...change });

test("a name that exists gets the next version, another one is new", () => {
  expect(namingOf([LANDER], "7", draft({ name: " Lander ", labels: "candidate" }))).toEqual({
    kind: "version",
    name: "lander",
    version: { checkpoint: "7", labels: ["candidate"], note: "" },
  });
  expect(namingOf([LANDER], "7", draft({ name: "walker", note: " good " }))).toEqual({
    kind: "new",
    model: { name: "walker", checkpoint: "7", labels: [], note: "good" },
  });
  expect([nextVersion(LANDER), nextVersion(undefined)]).toEqual([4, 1]);
});

test("what naming does is said before it is done", () => {
  expect(effectText([LANDER], draft({}))).toContain("Type a new name");
  expect(effectText([LANDER], draft({ name: "lander", labels: "production, demo" }))).toBe(
    "Becomes lander v4. The label production moves from v3.",
  );
  expect(effectText([LANDER], draft({ name: "walker" }))).toBe("Becomes walker v1.");
});

test("a wrong name is found while typing", () => {
  expect(nameProblem("")).toBeNull();
  expect(nameProblem("Lunar lander 2.0")).toBeNull();
  expect(nameProblem("../lander")).toContain("Letters, digits");
  expect(nameProblem("a".repeat(65))).toContain("At most 64");
});

test("errors of the lab are shown at their field", () => {
  const wrong = problemFrom(422, { errors: [{ field: "body.labels.0", message: "Too long." }] });
  expect(problemsOf(wrong)).toEqual({ labels: "Too long." });
  expect(problemsOf(problemFrom(409, { detail: "The name lander exists." }))).toEqual({
    name: "The name lander exists.",
  });
  expect(problemsOf(problemFrom(500, {}))).toEqual({});
});

test("tags are separated by commas, each once", () => {
  expect(tagsFrom("baseline, demo ,, demo")).toEqual(["baseline", "demo"]);
});
