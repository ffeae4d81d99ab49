import { expect, test } from "vitest";
import type { Algorithm, Environment, Runner } from "@/api/types";
import { chosenOffer, offersOf, whyNotOffer } from "@/entities/runners/offers";
import {
  algorithmChoices,
  canStopEarly,
  type Draft,
  draftProblem,
  firstRun,
  lengthsFor,
  newRunOf,
  offerOfRunner,
  otherOptions,
  otherParameters,
  presetsFor,
  runnerNote,
  trainedName,
} from "@/pages/lab/draft/draft";
import { fieldsOf } from "@/schema-form/fields";
import { endsOf, estimateText, severalText } from "./ends";

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
  followed_by: {},
  prefill: false,
  presets: [
    {
      id: "fast",
      title: "Fast",
      description: "",
      question: "how",
      env_id: null,
      total_timesteps: 50_000,
      max_seconds: null,
      params: { n_steps: 512 },
    },
    {
      id: "fast",
      title: "Fast",
      description: "",
      question: "how",
      env_id: "CartPole-v1",
      total_timesteps: 20_000,
      max_seconds: null,
      params: { n_steps: 32 },
    },
    {
      id: "short",
      title: "Short",
      description: "",
      question: "how_long",
      env_id: null,
      total_timesteps: 10_000,
      max_seconds: null,
      params: {},
    },
  ],
});
const runner = {
  id: "sb3",
  name: "Stable-Baselines3",
  ready: true,
  problems: [],
  description: "The reference.",
  capabilities: {},
  options_schema: {
    properties: {
      until: { enum: ["timesteps", "solved"], type: "string", default: "timesteps" },
      evaluate_after: { type: "integer", default: 5, minimum: 0, maximum: 100 },
    },
  },
  algorithms: [algorithm("ppo", ["discrete", "continuous"]), algorithm("dqn", ["discrete"])],
} as unknown as Runner;
const turbo = {
  ...runner,
  id: "turbo",
  name: "Turbo",
  description: "Fast.",
  capabilities: { vectors_only: true },
} as unknown as Runner;
const walker = {
  id: "BipedalWalker-v3",
  action_space_type: "continuous",
  obs_space_type: "box",
  obs_space_dims: [24],
} as Environment;
const pong = {
  id: "ALE/Pong-v5",
  action_space_type: "discrete",
  obs_space_type: "box",
  obs_space: "BOX(210, 160, 3)",
  obs_space_dims: [210, 160, 3],
} as Environment;
const offers = offersOf([runner]);
const draft: Draft = {
  envId: "CartPole-v1",
  offer: offers[0]!,
  preset: presetsFor(offers[0]!.algorithm, "CartPole-v1")[0],
  length: undefined,
  params: {},
  totalTimesteps: null,
  seed: 1,
  start: "",
  reward: "",
  dataset: "",
  name: "",
  tags: [],
  seeds: "",
  options: {},
  envKwargs: {},
};

test("an algorithm that cannot learn the environment gives the reason and is not chosen", () => {
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

test("a run gets the typed name and tags; without a name the lab chooses one", () => {
  expect(newRunOf({ ...draft, name: "  mine ", tags: ["a"] })).toMatchObject({ name: "mine", tags: ["a"] });
  expect(newRunOf({ ...draft, name: "  " })).toMatchObject({ name: null, tags: [] });
});

test("a run starts with the weights that a link names", () => {
  expect(newRunOf({ ...draft, start: "r1@c2@9f" }).start_from).toEqual({
    run_id: "r1",
    checkpoint: "c2",
    sha256: "9f",
  });
  expect(newRunOf({ ...draft, start: "r1" }).start_from).toMatchObject({
    run_id: "r1",
    checkpoint: undefined,
  });
  expect(newRunOf(draft)).not.toHaveProperty("start_from");
});

test("what learns from a dataset needs one, counts updates, and is not mixed with what plays", () => {
  const offline = { ...runner, id: "offline", capabilities: { dataset: true } } as unknown as Runner;
  const both = offersOf([runner, offline]);
  const [playing, learning] = [both[0]!, both[2]!];
  expect(chosenOffer(both, "offline", undefined)).toBe(learning);
  expect(algorithmChoices(both, learning, undefined).map(({ offer }) => offer.runner.id)).toEqual([
    "offline",
    "offline",
  ]);
  expect(algorithmChoices(both, playing, undefined)).toHaveLength(2);
  const empty = { ...draft, offer: learning };
  expect(draftProblem(empty)).toBe("Choose a dataset to learn from.");
  const chosen = { ...empty, dataset: "lander@v2" };
  expect(newRunOf(chosen).dataset).toEqual({ name: "lander", version: 2 });
  expect(newRunOf(draft)).not.toHaveProperty("dataset");
  // Its environment is needed for evaluations only.
  expect(draftProblem(chosen, { problem: "Box2D is not installed." } as Environment)).toBeNull();
  expect(draftProblem({ ...chosen, totalTimesteps: 0 })).toBe("Updates must be at least 1.");
  expect(severalText({ steps: 100, seconds: 60, episodes: null, isSolvedToo: false }, "update")).toContain(
    "100 updates",
  );
});

test("TRAIN names its environment when the stage shows another one", () => {
  const cartPole = { id: "CartPole-v1", name: "Cart Pole" } as Environment;
  expect(trainedName(draft, cartPole, null)).toBeNull();
  expect(trainedName(draft, cartPole, "CartPole-v1")).toBeNull();
  expect(trainedName(draft, cartPole, "LunarLander-v3")).toBe("Cart Pole");
});

test("a wrong parameter names itself before anything is sent", () => {
  expect(draftProblem(draft)).toBeNull();
  expect(draftProblem({ ...draft, params: { gamma: 1.5 } })).toBe("Fix first: Gamma.");
});

test("a run carries the options of its runner's schema that were changed", () => {
  const options = { until: "solved", evaluate_after: 0, unknown: 1 };
  expect(newRunOf({ ...draft, options })).toMatchObject({ until: "solved", evaluate_after: 0 });
  expect(newRunOf({ ...draft, options })).not.toHaveProperty("unknown");
  const endless = { reward_threshold: null } as Environment;
  expect(newRunOf({ ...draft, options }, endless)).not.toHaveProperty("until");
  expect(newRunOf(draft)).not.toHaveProperty("until");
  expect(draftProblem({ ...draft, options: { evaluate_after: 101 } })).toBe("Fix first: Evaluate after.");
});

test("stopping early is offered where the runner and the environment can do it", () => {
  const cartPole = { id: "CartPole-v1", reward_threshold: 475 } as Environment;
  expect(canStopEarly(offers[0]!, cartPole)).toBe(true);
  expect(canStopEarly(offers[0]!, walker)).toBe(false);
  const simple = { ...offers[0]!, runner: { ...runner, options_schema: {} } };
  expect(canStopEarly(simple, cartPole)).toBe(false);
});

test("every option except the early stop is drawn from the schema", () => {
  expect(fieldsOf(otherOptions(runner)).map((field) => field.name)).toEqual(["evaluate_after"]);
});

test("the quick runner comes first where it is possible, and gives the reason where it is not", () => {
  const all = offersOf([runner, turbo]);
  expect(chosenOffer(all, undefined, walker)?.runner.id).toBe("turbo");
  const chosen = chosenOffer(all, undefined, pong)!;
  expect(chosen.runner.id).toBe("sb3");
  expect(runnerNote(all, chosen, pong)).toBe(
    "Turbo needs vector observations; ALE/Pong-v5 has BOX(210, 160, 3).",
  );
  expect(runnerNote(all, chosenOffer(all, undefined, walker)!, walker)).toBeNull();
});

test("another runner takes over with the same algorithm", () => {
  const all = offersOf([runner, turbo]);
  const dqn = chosenOffer(all, "turbo/dqn", undefined)!;
  const other = offerOfRunner(all, "sb3", dqn, undefined)!;
  expect([other.runner.id, other.algorithm.id]).toEqual(["sb3", "dqn"]);
  expect(offerOfRunner(all, "turbo", dqn, pong)).toBeUndefined();
});

test("every algorithm is offered once, with the chosen runner where that is possible", () => {
  const sac = algorithm("sac", ["continuous"]);
  const all = offersOf([{ ...runner, algorithms: [...runner.algorithms, sac] }, turbo]);
  const shown = (env?: Environment) =>
    algorithmChoices(all, chosenOffer(all, "sb3/ppo", env)!, env).map(
      ({ offer, reason }) => `${offer.runner.id}/${offer.algorithm.id}${reason ? " no" : ""}`,
    );
  expect(shown()).toEqual(["sb3/ppo", "sb3/dqn", "sb3/sac"]);
  expect(shown(walker)).toEqual(["sb3/ppo", "sb3/dqn no", "sb3/sac"]);
  const fromTurbo = algorithmChoices(all, chosenOffer(all, "turbo/ppo", undefined)!, undefined);
  expect(fromTurbo.map(({ offer }) => offer.runner.id)).toEqual(["turbo", "turbo", "sb3"]);
});

test("an environment that is not installed cannot be trained, and names the remedy", () => {
  const missing = { ...pong, problem: "ale_py is not installed.", remedy: "Run pip install ale-py." };
  expect(draftProblem(draft, missing)).toBe("ale_py is not installed. Run pip install ale-py.");
});

test("the learning rate is always in view, the other parameters are folded", () => {
  const given = { ...algorithm("ppo", []), params_schema: { properties: { learning_rate: {}, gamma: {} } } };
  expect(fieldsOf(otherParameters(given)).map((field) => field.name)).toEqual(["gamma"]);
});

test("the first run is quick and ends when it is solved", () => {
  expect(firstRun(offersOf([runner, turbo]))).toMatchObject({
    env_id: "CartPole-v1",
    runner: "turbo",
    algorithm: "ppo",
    preset: "fast",
    until: "solved",
  });
});

test("how and how long are two questions", () => {
  const [ppo] = runner.algorithms as [Algorithm];
  expect(presetsFor(ppo, "CartPole-v1").map(({ id }) => id)).toEqual(["fast"]);
  expect(lengthsFor(ppo, "CartPole-v1").map(({ id }) => id)).toEqual(["short"]);
  const chosen = { ...draft, length: lengthsFor(ppo, "CartPole-v1")[0], totalTimesteps: null };
  expect(endsOf(chosen).steps).toBe(10_000);
  expect(newRunOf(chosen)).toMatchObject({ preset: "fast", length: "short", total_timesteps: null });
  expect(newRunOf({ ...chosen, totalTimesteps: 77 })).toMatchObject({ length: null, total_timesteps: 77 });
});

test("a seed that is no number is named before training", () => {
  expect(draftProblem({ ...draft, seed: Number.NaN })).toBe("Seed: one whole number, such as 3.");
});

const speed = { steps_per_second: 1000, is_measured: true, runs: 3, steps_per_episode: 50 };

test("a time or episodes take the place of the preset's steps", () => {
  const byTime = { ...draft, options: { max_seconds: 1800 } };
  expect(endsOf(byTime)).toMatchObject({ steps: null, seconds: 1800, episodes: null });
  expect(newRunOf(byTime)).toMatchObject({ total_timesteps: null });
  expect(estimateText(endsOf(byTime), speed)).toBe(
    "About 1.8M steps at 1000 steps/s, measured on 3 runs of this machine.",
  );
  expect(severalText(endsOf(byTime))).toBeNull();
});

test("several ends are said in one sentence, and the estimate is that of the first", () => {
  const both = {
    ...draft,
    totalTimesteps: 30_000,
    options: { max_seconds: 1800, max_episodes: 100, until: "solved" },
  };
  expect(severalText(endsOf(both))).toBe(
    "Ends after 30,000 steps or 30 min or 100 episodes, or when solved: the first that is reached.",
  );
  expect(estimateText(endsOf(both), { ...speed, is_measured: false, runs: 0 })).toBe(
    "About 5.0 s at 1000 steps/s; a rough figure, no such run was measured here yet.",
  );
  expect(estimateText(endsOf(both), undefined)).toBe("");
});

test("seeds that cannot be read are named before TRAIN", () => {
  expect(draftProblem({ ...draft, seeds: "1-5" })).toBeNull();
  expect(draftProblem({ ...draft, seeds: "1,1" })).toBe("Seeds: Seed 1 is there twice.");
});

test("a chosen reward is part of the run, the environment's own is not", () => {
  expect(newRunOf({ ...draft, reward: "gentle@v2" })).toMatchObject({
    reward: { name: "gentle", version: 2 },
  });
  expect(newRunOf(draft)).not.toHaveProperty("reward");
});
