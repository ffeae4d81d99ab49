import { expect, it } from "vitest";
import { episodeTitle } from "./episode-title";

it("numbers evaluation episodes of a script apart from those of the training", () => {
  expect(episodeTitle(1204)).toBe("Episode 1,204");
  expect(episodeTitle(2 ** 40 + 3)).toBe("Evaluation episode 3");
});
