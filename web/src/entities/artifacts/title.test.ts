import { expect, test } from "vitest";
import { shownAs, titleOf } from "./title";

test("a file without a title is called by what its name means", () => {
  expect(titleOf({ title: "Film of the training", path: "film.mp4" })).toBe("Film of the training");
  expect(titleOf({ title: "", path: "videos/rl-video-episode-0.mp4" })).toBe("Video of episode 0");
  const path = "videos/agent-step-0-to-step-500.mp4";
  expect(titleOf({ title: path, path })).toBe("Video of step 0");
  expect(titleOf({ title: "", path: "a/b/notes.txt" })).toBe("notes.txt");
});

test("only what every browser plays is shown in place", () => {
  expect(shownAs({ media_type: "video/mp4" })).toBe("video");
  expect(shownAs({ media_type: "image/gif" })).toBe("picture");
  expect(shownAs({ media_type: "text/html" })).toBeNull();
});
