"""Datasets of turbo's policies for the bench of offline learners: expert, medium and mixed, three environments.

Usage: python -m bench.offline_data [FOLDER] [--envs CartPole-v1 …]
Turbo trains once per environment and saves checkpoints on the way. The best of them is the expert; the one
whose return is nearest to half of what the expert gained over random actions is the medium policy. Both play the
best action in each state; the medium one takes every tenth at random. Mixed is one third expert, medium and random
actions each.
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
TRANSITIONS = {"expert": 40_000, "medium": 40_000, "mixed": 40_000}
NOISE = 0.1
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
    returns = [play(env, lambda _: env.action_space.sample(), seed)[1] for seed in range(10)]
    random = float(np.mean(returns))
    policies = rated_policies(folder / f"{env_id}-training", env_id, env)
    expert, best = max(policies, key=lambda one: one[1])
    medium, half = min(policies, key=lambda one: abs(one[1] - (random + best) / 2))
    print(f"{env_id}: random {random:.1f}, medium {half:.1f}, expert {best:.1f}", flush=True)
    reference = ScoreReference(low=random, high=best, named="random actions and turbo's expert")
    noisy = with_noise(medium, env)
    actors: dict[str, list[Act]] = {"expert": [expert], "medium": [noisy]}
    actors["mixed"] = [expert, noisy, lambda _: env.action_space.sample()]
    for kind, path in found.items():
        collect(env, actors[kind], TRANSITIONS[kind], path, reference)
    env.close()
    return found


def with_noise(act: Act, env: Any) -> Act:
    """Every tenth action at random: what one policy does alone covers little."""
    rng = np.random.default_rng(1)
    return lambda seen: env.action_space.sample() if rng.random() < NOISE else act(seen)


def rated_policies(folder: Path, env_id: str, env: Any) -> list[tuple[Act, float]]:
    """Every checkpoint of a training with its mean return, in the order of the training."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    config = train(folder, env_id)
    rated = []
    for path in sorted((folder / "checkpoints").glob("step-*")):
        policy = load_runner("turbo").load_policy(path, config)
        act: Act = lambda seen, policy=policy: policy.act(seen, True).action  # noqa: E731
        rated.append((act, float(np.mean([play(env, act, 100 + seed)[1] for seed in range(8)]))))
    return rated


def train(folder: Path, env_id: str) -> TrainConfig:
    runner = load_runner("turbo")
    algorithm = runner.spec.algorithm("ppo")
    config = TrainConfig(
        runner="turbo",
        algorithm="ppo",
        env_id=env_id,
        total_timesteps=STEPS[env_id],
        params=complete_params(algorithm, find_preset(algorithm, "fast", env_id), {}, env_id),
        checkpoint_every=STEPS[env_id] // 20,
        record=False,
    )
    nowhere, nothing = os.open(os.devnull, os.O_WRONLY), os.open(os.devnull, os.O_RDONLY)
    session = Session(Job(run_id="data", config=config, run_dir=folder), Telemetry(nowhere), Control(nothing))
    session.checkpoint_suffix = runner.spec.checkpoint_suffix
    runner.train(session)
    return config


def collect(
    env: Any, actors: list[Act], transitions: int, path: Path, reference: ScoreReference | None
) -> None:
    shutil.rmtree(path, ignore_errors=True)
    with DatasetWriter(
        path,
        observation_space=env.observation_space,
        action_space=env.action_space,
        env_id=env.spec.id,
    ) as writer:
        steps = [0] * len(actors)
        while sum(steps) < transitions:
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
