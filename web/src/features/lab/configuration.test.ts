import { expect, test } from "vitest";
import type { Algorithm, Environment, Runner } from "@/api/types";
import {
  chosenOffer,
  type Draft,
  draftProblem,
  newRunOf,
  offersOf,
  presetsFor,
  whyNotOffer,
} from "./configuration";

const schema = {
  properties: {
    gamma: { type: "number", default: 0.99, minimum: 0, maximum: 1 },
    n_steps: { type: "integer", default: 2048 },
  },
};
const algorithm = (id: string, kinds: ("discrete" | "continuous")[]): Algorithm => ({
  id,
  name: id.toUpperCase(),
  description: "",
  action_kinds: kinds,
  params_schema: schema,
  presets: [
    {
      id: "fast",
      title: "Fast",
      description: "",
      env_id: null,
      total_timesteps: 50_000,
      params: { n_steps: 512 },
    },
    {
      id: "fast",
      title: "Fast",
      description: "",
      env_id: "CartPole-v1",
      total_timesteps: 20_000,
      params: { n_steps: 32 },
    },
  ],
});
const runner = {
  id: "sb3",
  name: "Stable-Baselines3",
  ready: true,
  problems: [],
  algorithms: [algorithm("ppo", ["discrete", "continuous"]), algorithm("dqn", ["discrete"])],
} as unknown as Runner;
const walker = { id: "BipedalWalker-v3", action_space_type: "continuous" } as Environment;
const offers = offersOf([runner]);
const draft: Draft = {
  envId: "CartPole-v1",
  offer: offers[0]!,
  preset: presetsFor(offers[0]!.algorithm, "CartPole-v1")[0],
  params: {},
  totalTimesteps: null,
  seed: 1,
};

test("an algorithm that cannot learn the environment says why and is not chosen", () => {
  expect(whyNotOffer(offers[1]!, walker)).toBe(
    "DQN needs discrete actions; BipedalWalker-v3 has continuous ones.",
  );
  expect(chosenOffer(offers, "dqn", walker)?.algorithm.id).toBe("ppo");
  expect(chosenOffer(offers, "sb3/dqn", undefined)?.algorithm.id).toBe("dqn");
});

test("a preset made for the environment hides the general one", () => {
  expect(presetsFor(offers[0]!.algorithm, "CartPole-v1").map((p) => p.params)).toEqual([{ n_steps: 32 }]);
  expect(presetsFor(offers[0]!.algorithm, "Acrobot-v1").map((p) => p.params)).toEqual([{ n_steps: 512 }]);
});

test("a run carries only what differs from its preset", () => {
  expect(newRunOf({ ...draft, params: { gamma: 0.9, n_steps: 32 } })).toMatchObject({
    preset: "fast",
    params: { gamma: 0.9 },
    start: true,
  });
});

test("a wrong parameter names itself before anything is sent", () => {
  expect(draftProblem(draft)).toBeNull();
  expect(draftProblem({ ...draft, params: { gamma: 1.5 } })).toBe("Put right first: gamma.");
});
