"""The time of finding insights in a million episodes, compared with sorting their rewards once."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bench.figures import Figure, at_most
from rl_lab.analysis.curves import RunCurves, Series
from rl_lab.analysis.insights.detect import find_insights

EPISODES = 1_000_000


def figures() -> list[Figure]:
    mean = np.linspace(20, 250, EPISODES)
    reward = np.minimum(500, np.random.default_rng(5).gamma(2, mean))
    series = {"reward": Series.of(100 * np.arange(1, EPISODES + 1), reward)}
    curves = RunCurves("Made-v0", "PPO", "sb3", series=series, reward_threshold=475.0)
    ratio = _shortest_s(lambda: find_insights(curves)) / _shortest_s(lambda: np.sort(reward))
    return [at_most("insights on 1,000,000 episodes, against sorting them once", ratio, 1, " ×")]


def _shortest_s(work: Callable[[], object], count: int = 7) -> float:
    times = []
    for _ in range(count):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)
