"""The seeds of evaluation episodes: drawn from one seed, and none that a training with that seed has played."""

from __future__ import annotations

from rl_lab.portable.recorder import episode_seed

EVALUATION_STREAM = 1_000_003
"""Sub-environment number from which they are drawn."""


def derived_seeds(seed: int, count: int) -> list[int]:
    return [episode_seed(seed, EVALUATION_STREAM, n) for n in range(count)]
