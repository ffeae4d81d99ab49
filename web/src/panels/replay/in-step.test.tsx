import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Opened } from "./messages";
import { StripLegend } from "./StripLegend";
import { type ClockState, type Member, SharedClock } from "./shared-clock";
import { textAt } from "./tracks";

const episode = (change: Partial<Opened> = {}): Opened => ({
  op: "opened",
  env_id: "CartPole-v1",
  observation_names: [],
  action_names: ["push left", "push right"],
  length: 3,
  render_fps: 50,
  rewards: [1, 1, -2],
  actions: [0, 1, 1],
  values: [9.5, 8, null],
  who: [],
  exact: true,
  note: "",
  own_name: "",
  own_note: "",
  own_rewards: [],
  own_terms: {},
  ...change,
});

/** Two episodes of different length that draw only when told to. */
function pair(lengths: [number, number]) {
  const asked = lengths.map(() => 0);
  const shown = lengths.map(() => 0);
  let state: ClockState = { step: 0, playing: false, speed: 1 };
  const members = (): Member[] =>
    lengths.map((length, i) => ({
      length,
      fps: 50,
      shown: shown[i]!,
      seek: (step) => {
        asked[i] = step;
      },
    }));
  const clock = new SharedClock(members, (now) => {
    state = now;
  });
  const draw = (i: number) => {
    shown[i] = asked[i]!;
  };
  return { clock, asked, draw, state: () => state };
}

test("no episode runs ahead of one that has not drawn its step", () => {
  const { clock, asked, draw, state } = pair([100, 100]);
  clock.handle({ op: "play" });
  clock.tick(1000);
  clock.tick(1100);
  expect(asked).toEqual([5, 5]);
  draw(0);
  clock.tick(1200);
  expect(asked).toEqual([5, 5]);
  draw(1);
  clock.tick(1300);
  expect(asked).toEqual([10, 10]);
  expect(state()).toEqual({ step: 10, playing: true, speed: 1 });
});

test("the shorter episode stays at its end while the longer one plays on", () => {
  const { clock, asked, draw, state } = pair([4, 10]);
  clock.handle({ op: "seek", step: 8 });
  expect(asked).toEqual([4, 8]);
  clock.handle({ op: "play" });
  for (let at = 0; at <= 400; at += 100) {
    clock.tick(at);
    draw(0);
    draw(1);
  }
  expect(asked).toEqual([4, 10]);
  expect(state()).toMatchObject({ step: 10, playing: false });
});

test("a link to a step opens both there, although their lengths are not known yet", () => {
  const asked: number[] = [];
  const unopened: Member = { length: null, fps: 50, shown: null, seek: (step) => asked.push(step) };
  const clock = new SharedClock(
    () => [unopened, unopened],
    () => {},
  );
  clock.handle({ op: "seek", step: 20 });
  expect(asked).toEqual([20, 20]);
});

test("a step that was never drawn is asked for again", () => {
  const { clock, asked } = pair([100, 100]);
  clock.handle({ op: "play" });
  clock.tick(0);
  clock.tick(100);
  asked.fill(0);
  clock.tick(1500);
  expect(asked).toEqual([5, 5]);
});

test("one command moves both, and a single step pauses them", () => {
  const { clock, asked, state } = pair([100, 100]);
  clock.handle({ op: "play" });
  clock.handle({ op: "seek", step: 40 });
  expect(state().playing).toBe(true);
  clock.handle({ op: "step", by: -1 });
  expect(asked).toEqual([39, 39]);
  expect(state()).toMatchObject({ step: 39, playing: false });
});

test("a step of the strip is described with reward, value and the action's name", () => {
  const track = { title: "Episode 1", opened: episode() };
  expect(textAt(track, 0)).toBe("reward –, value 9.5");
  expect(textAt(track, 1)).toBe("reward +1, value 8, push left");
  expect(textAt(track, 3)).toBe("reward −2, push right");
  expect(textAt(track, 4)).toBe("ended");
});

test("the legend says what the bars and the line are", () => {
  render(<StripLegend tracks={[{ title: "Episode 1", opened: episode() }]} isForked={false} />);
  const legend = screen.getByRole("list", { name: "Legend of the strip" });
  expect(legend.textContent).toContain("reward of each step, up to +1");
  expect(legend.textContent).toContain("negative reward, down to −2");
  expect(legend.textContent).toContain("value: the return the agent expects, 8 to 9.5");
});
