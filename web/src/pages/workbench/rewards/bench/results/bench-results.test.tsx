import { fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { BenchEpisode } from "@/api/types";
import * as ranking from "@/entities/bench/ranking";
import { type BenchState, IDLE } from "@/entities/bench/state";
import { BenchResults, comparisonsOf } from "./BenchResults";
import { ReturnScatter } from "./ReturnScatter";
import { placeAfter, SHAPES } from "./scatter";

const OUTCOMES = ["success", "terminated", "truncated", "unfinished"] as const;
const made = (episode: number, env: number, ...own: (number | null)[]): BenchEpisode => ({
  run_id: "r",
  episode,
  kind: "train",
  timestep: null,
  outcome: OUTCOMES[episode % 4]!,
  length: 10,
  env_return: env,
  recorded_return: null,
  is_exact: true,
  scores: own.map((own_return) => (own_return === null ? null : { own_return, terms: {} })),
});
const EPISODES = [made(1, 10, 1, 3, 5), made(2, 30, 2, 2, 5), made(3, 20, 3, 1, null), made(4, 40, 4, 0, 6)];

afterEach(() => vi.restoreAllMocks());

test("each reward is compared with the environment's, and all rewards with each other", () => {
  const found = comparisonsOf(["a", "b", "c"], EPISODES, {});
  expect(found.map(({ first, second, episodes }) => `${first} ${second} ${episodes}`)).toEqual([
    "environment a 4",
    "environment b 4",
    "environment c 3",
    "a b 4",
    "a c 3",
    "b c 3",
  ]);
  expect(found.find(({ first, second }) => first === "a" && second === "b")?.correlation).toBe(-1);
});

test("typing above the results scores nothing again", () => {
  const plan = { rewards: ["a"], runs: [], total: 4, recorded: 4 } as unknown as BenchState["plan"];
  const state: BenchState = { ...IDLE, phase: "done", plan, episodes: EPISODES };
  const onWatch = () => {};
  const results = () => <BenchResults state={state} watched={null} onWatch={onWatch} />;
  const { rerender } = render(results());
  const scored = vi.spyOn(ranking, "scoredBy");
  rerender(results());
  expect(scored).not.toHaveBeenCalled();
});

function chart() {
  const onWatch = vi.fn();
  const scored = ranking.scoredBy(EPISODES, 0);
  render(<ReturnScatter name="a" scored={scored} watched={null} onWatch={onWatch} />);
  return { onWatch, slider: screen.getByRole("slider") };
}

test("every episode is reached with the arrow keys, in the order of the environment's return", () => {
  const { onWatch, slider } = chart();
  const press = (key: string) => fireEvent.keyDown(slider, { key });
  press("Home");
  expect(slider.getAttribute("aria-valuetext")).toContain("episode 1 of r: 10 and 1");
  press("ArrowRight");
  expect(slider.getAttribute("aria-valuetext")).toContain("episode 3 of r");
  press("Enter");
  expect(onWatch).toHaveBeenCalledWith(EPISODES[2]);
  press("End");
  expect(slider.getAttribute("aria-valuetext")).toContain("episode 4");
});

test("a finger that scrolls over the chart opens nothing; a tap does", () => {
  const { onWatch, slider } = chart();
  const mark = slider.querySelector("path")!.getAttribute("transform")!;
  const [clientX, clientY] = mark.match(/[\d.]+/g)!.map(Number);
  fireEvent.pointerDown(slider, { clientX, clientY, pointerType: "touch" });
  expect(onWatch).not.toHaveBeenCalled();
  fireEvent.click(slider, { clientX, clientY });
  expect(onWatch).toHaveBeenCalledWith(EPISODES[0]);
});

test("outcomes differ by shape", () => {
  expect(new Set(Object.values(SHAPES)).size).toBe(4);
  const { slider } = chart();
  const shapes = [...slider.querySelectorAll("path")].map((path) => path.getAttribute("d"));
  expect(shapes).toEqual(EPISODES.map(({ outcome }) => SHAPES[outcome]));
});

test("keys stay within the episodes", () => {
  expect(["ArrowLeft", "PageDown", "End", "x"].map((key) => placeAfter(key, 0, 5))).toEqual([0, 0, 4, null]);
  expect(placeAfter("ArrowRight", -1, 5)).toBe(0);
});
