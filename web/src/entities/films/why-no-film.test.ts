import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { whyNoEpisodes } from "./why-no-film";

const run = (kind: Run["kind"], episodes: number) => ({ kind, progress: { episodes } }) as unknown as Run;

test("one episode is enough for the film of a play, not of a training", () => {
  expect(whyNoEpisodes(run("play", 0))).toContain("played episode");
  expect(whyNoEpisodes(run("play", 1))).toBeNull();
  expect(whyNoEpisodes(run("train", 1))).toContain("two finished");
  expect(whyNoEpisodes(run("train", 2))).toBeNull();
});
