"""Datasets of turbo's policies for the bench of offline learners: expert, medium and mixed, three environments.

Usage: python -m bench.offline_data [FOLDER] [--envs CartPole-v1 …]
Turbo's PPO trains once per environment and saves checkpoints on the way. As in D4RL,
- expert is the checkpoint with the highest return, which plays the best action in each state;
- medium is a partially trained agent: the checkpoint whose return is nearest to half of what the expert gained over
  random actions. It plays as it did while it learned: actions are sampled from its policy;
- mixed has three equal parts: expert, medium and random actions.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import ScoreReference
from rl_lab.core.job_file import Job
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import complete_params, find_preset
from rl_lab.portable.control import Control
from rl_lab.runners.registry import load_runner
from rl_lab.worker.datasets.episode_arrays import EpisodeArrays
from rl_lab.worker.datasets.writing import DatasetWriter
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.session import Session
from rl_lab.worker.telemetry import Telemetry

USUAL = Path("/tmp/rl-lab-bench-offline")
STEPS = {"CartPole-v1": 150_000, "LunarLander-v3": 800_000, "Pendulum-v1": 400_000}
"""Of turbo's training."""
KINDS = ("expert", "medium", "mixed")
TRANSITIONS = 100_000
CHECKPOINTS, GLANCED, CANDIDATES, RATED, REFERENCE = 100, 4, 8, 40, 100
"""Checkpoints of a training; episodes that each plays first, how many then play more, and how many episodes these play;
episodes of random actions and of the expert."""
Act = Callable[[Any], Any]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=USUAL)
    parser.add_argument("--envs", nargs="*", default=list(STEPS))
    arguments = parser.parse_args()
    for env_id in arguments.envs:
        began = time.monotonic()
        make_datasets(arguments.folder, env_id)
        print(f"{env_id}: {time.monotonic() - began:.0f} s", flush=True)


def make_datasets(folder: Path, env_id: str) -> dict[str, Path]:
    """Those of one environment by kind, made unless they are there."""
    found = {kind: folder / f"{env_id}-{kind}" for kind in KINDS}
    if all((path / "dataset.json").exists() for path in found.values()):
        return found
    env = make_environment(env_id)
    env.action_space.seed(0)
    random = mean_return(env, lambda _: env.action_space.sample(), REFERENCE)
    agents = train_agents(folder / f"{env_id}-training", env_id)
    expert = choose(env, [agent.best for agent in agents], lambda returns: -returns)
    high = mean_return(env, expert, REFERENCE)
    middle = (random + high) / 2
    medium = choose(env, [agent.sampled for agent in agents], lambda returns: abs(returns - middle))
    reference = ScoreReference(low=random, high=high, named="random actions and turbo's expert")
    actors: dict[str, list[Act]] = {"expert": [expert], "medium": [medium]}
    actors["mixed"] = [expert, medium, lambda _: env.action_space.sample()]
    for kind, path in found.items():
        collect(env, actors[kind], path, reference)
    env.close()
    return found


def choose(env: Any, acts: list[Act], cost: Callable[[Any], Any]) -> Act:
    """The one whose return costs least; few episodes name the candidates, and many decide between these."""
    glances = cost(np.array([mean_return(env, act, GLANCED) for act in acts]))
    candidates: list[Act] = [acts[int(n)] for n in np.argsort(glances)[:CANDIDATES]]
    rated = cost(np.array([mean_return(env, act, RATED) for act in candidates]))
    return candidates[int(rated.argmin())]


def mean_return(env: Any, act: Act, episodes: int) -> float:
    return float(np.mean([play(env, act, 100 + seed)[1] for seed in range(episodes)]))


class Agent:
    """A checkpoint that plays."""

    def __init__(self, policy: Any) -> None:
        self._policy = policy

    def best(self, seen: Any) -> Any:
        return self._policy.act(seen, True).action

    def sampled(self, seen: Any) -> Any:
        return self._policy.act(seen, False).action


def train_agents(folder: Path, env_id: str) -> list[Agent]:
    """Every checkpoint of a training, in order."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    config = train(folder, env_id)
    paths = sorted((folder / "checkpoints").glob("step-*"))
    return [Agent(load_runner("turbo").load_policy(path, config)) for path in paths]


def train(folder: Path, env_id: str) -> TrainConfig:
    runner = load_runner("turbo")
    algorithm = runner.spec.algorithm("ppo")
    config = TrainConfig(
        runner="turbo",
        algorithm="ppo",
        env_id=env_id,
        total_timesteps=STEPS[env_id],
        params=complete_params(algorithm, find_preset(algorithm, "fast", env_id), {}, env_id),
        checkpoint_every=STEPS[env_id] // CHECKPOINTS,
        record=False,
    )
    nowhere, nothing = os.open(os.devnull, os.O_WRONLY), os.open(os.devnull, os.O_RDONLY)
    session = Session(Job(run_id="data", config=config, run_dir=folder), Telemetry(nowhere), Control(nothing))
    session.checkpoint_suffix = runner.spec.checkpoint_suffix
    runner.train(session)
    return config


def collect(env: Any, actors: list[Act], path: Path, reference: ScoreReference) -> None:
    shutil.rmtree(path, ignore_errors=True)
    with DatasetWriter(
        path,
        observation_space=env.observation_space,
        action_space=env.action_space,
        env_id=env.spec.id,
    ) as writer:
        steps = [0] * len(actors)
        while sum(steps) < TRANSITIONS:
            who = int(np.argmin(steps))  # each has the same share of steps
            seed = 10_000 + writer.episodes
            episode, _ = play(env, actors[who], seed)
            writer.add_episode(episode, seed=seed, number=writer.episodes)
            steps[who] += episode.length
        writer.finish(reference=reference)


def play(env: Any, act: Act, seed: int) -> tuple[EpisodeArrays, float]:
    """One episode and its return."""
    seen, actions, rewards = [env.reset(seed=seed)[0]], [], []
    terminated = truncated = False
    while not (terminated or truncated):
        actions.append(act(seen[-1]))
        observation, reward, terminated, truncated, _ = env.step(actions[-1])
        seen.append(observation)
        rewards.append(float(reward))
    last = np.arange(len(actions)) == len(actions) - 1
    arrays = EpisodeArrays(
        observations=np.stack(seen),
        actions=np.asarray(actions),
        rewards=np.asarray(rewards),
        terminations=last & terminated,
        truncations=last & truncated,
    )
    return arrays, sum(rewards)


def read_reference(path: Path) -> ScoreReference:
    return ScoreReference.model_validate(json.loads((path / "dataset.json").read_text())["reference"])


if __name__ == "__main__":
    main()
