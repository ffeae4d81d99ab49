"""What a reward of one's own costs: steps/s of a training with an identity reward ÷ the same without.

Pairs of workers that take turns, so that a machine that changes its speed changes both; the result is the median of
the ratios. The reward runs confined in a process of its own, as always.
"""

from __future__ import annotations

import statistics
from functools import partial
from typing import Any, NamedTuple

from bench.figures import Figure, at_least
from bench.sb3_overhead import environment
from bench.taking_turns import speeds_of
from rl_lab.core.runners import complete_params, find_preset
from rl_lab.guardian.files import as_json
from rl_lab.orchestrator.code_rights import code_rights
from rl_lab.runners.registry import load_runner
from rl_lab.settings import Settings

IDENTITY = "def reward_function(reward):\n    return reward\n"
ENVIRONMENT = "CartPole-v1"
PAIRS = 5


class Measured(NamedTuple):
    runner: str
    algorithm: str
    preset: str | None
    timesteps: int
    target: float


TRAININGS = (
    Measured("turbo", "ppo", "fast", 400_000, 0.7),
    Measured("sb3", "ppo", None, 12_288, 0.97),
    Measured("sb3", "dqn", "fast", 50_000, 0.97),
    Measured("sb3", "dqn", None, 10_000, 0.97),
    Measured("sb3", "dqn", None, 50_000, 0.97),
)


def figures() -> list[Figure]:
    return [figure_of(training) for training in TRAININGS]


def figure_of(training: Measured) -> Figure:
    pairs = [measure_pair(training) for _ in range(PAIRS)]
    ratio = statistics.median(with_it / without for with_it, without in pairs)
    rewarded, plain = (statistics.median(pair[side] for pair in pairs) for side in (0, 1))
    what = (
        f"{training.runner} {training.algorithm} {ENVIRONMENT} with an identity reward of one's own ÷ without"
    )
    return at_least(
        f"{what} (median of {PAIRS} pairs; {rewarded:,.0f} and {plain:,.0f} steps/s)", ratio, training.target
    )


def measure_pair(training: Measured) -> tuple[float, float]:
    """Steps per second with the reward and without."""
    rewarded, plain = speeds_of(
        [partial(job_of, training, has_reward=has_reward) for has_reward in (True, False)], environment()
    )
    return rewarded, plain


def job_of(training: Measured, folder: str, *, has_reward: bool) -> dict[str, Any]:
    algorithm = load_runner(training.runner).spec.algorithm(training.algorithm)
    preset = find_preset(algorithm, training.preset, ENVIRONMENT) if training.preset else None
    reward = {"source": IDENTITY, "name": "identity@v1", "confine": as_json(code_rights(Settings()))}
    return {
        "run_id": "bench",
        "kind": "train",
        "run_dir": folder,
        "config": {
            "kind": "train",
            "runner": training.runner,
            "algorithm": training.algorithm,
            "env_id": ENVIRONMENT,
            "total_timesteps": training.timesteps,
            "seed": 1,
            "params": complete_params(algorithm, preset, {}, ENVIRONMENT),
        },
        "inputs": {"reward": reward} if has_reward else {},
    }
