import { expect, test } from "vitest";
import type { Preset } from "@/api/types";
import { choiceIn } from "@/pages/lab/draft/choice";
import { lengthNote, presetNote } from "./PresetChoice";

const preset = (change: Partial<Preset>) =>
  ({ title: "Fast", env_id: null, params: {}, total_timesteps: 20_000, ...change }) as Preset;

test("a preset says how many values it sets, and for which environment", () => {
  const fast = preset({ env_id: "CartPole-v1", params: { n_envs: 64, n_steps: 16 } });
  expect(presetNote(fast)).toBe("Preset Fast for CartPole-v1 sets 2 values.");
  expect(presetNote(preset({ params: { n_envs: 8 } }))).toBe("Preset Fast sets 1 value.");
});

test("a length shows its steps, and its time where the speed was measured", () => {
  expect(lengthNote(preset({}), null)).toEqual(["20k steps"]);
  expect(lengthNote(preset({}), 1000)).toEqual(["20k steps", "about 20 s"]);
});

test("a length that is a time shows it, and about how many steps that is", () => {
  const short = preset({ total_timesteps: null, max_seconds: 3600 });
  expect(lengthNote(short, null)).toEqual(["1 h 00 min"]);
  expect(lengthNote(short, 200)).toEqual(["1 h 00 min", "about 720k steps"]);
});

test("in older links a length is a preset", () => {
  expect(choiceIn({ env: "CartPole-v1", preset: "short" })).toEqual({ env: "CartPole-v1", length: "short" });
  expect(choiceIn({ preset: "fast", length: "long" })).toEqual({ preset: "fast", length: "long" });
});
