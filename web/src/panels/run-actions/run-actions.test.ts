import { expect, test } from "vitest";
import type { Artifact, Run } from "@/api/types";
import type { Landmark } from "@/entities/episodes/queries";
import { firstAndBestSearch } from "./FirstAndBest";
import { shareItems } from "./ShareMenu";
import { solvedText } from "./SolvedNote";

const RUN = {
  id: "a1",
  name: "PPO on CartPole-v1",
  summary: { mean_reward: 479.7 },
  progress: { timestep: 60_416, elapsed_s: 1.5 },
} as unknown as Run;

test("first and best play side by side when the run has both", () => {
  const landmark = (title: Landmark["title"], episode: number) => ({ title, row: { episode } }) as Landmark;
  expect(firstAndBestSearch([landmark("First", 0), landmark("Best", 264)])).toEqual({
    tab: "episodes",
    episode: 264,
    second: 0,
  });
  expect(firstAndBestSearch([landmark("First", 0)])).toBeNull();
});

test("the film is shared once there is one; before, the menu says how to get it", () => {
  const film = (items: ReturnType<typeof shareItems>) =>
    items.find(({ title }) => title === "Download film")!;
  expect(film(shareItems(RUN, undefined)).reason).toContain("FILM makes one");
  expect(film(shareItems(RUN, { id: "f", media_type: "video/mp4" } as Artifact)).reason).toBeNull();
});

test("a solved run says what was reached, what was needed and how long it took", () => {
  expect(solvedText(RUN, 475)).toBe("Mean reward 479.7, 475 needed, after 60,416 steps, 1.5 s.");
});
