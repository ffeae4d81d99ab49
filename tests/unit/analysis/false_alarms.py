"""Stationary rewards, in which nothing happens: whatever is reported about a change is a false alarm."""

from collections.abc import Callable

import numpy as np
from unit.analysis.synthetic import Rng, as_means

from rl_lab.analysis.curves import Floats, RunCurves, Series
from rl_lab.analysis.insights.detect import find_insights
from rl_lab.core.protocol.points import MEAN, VALUE

ALARMS = {"improving", "getting_worse", "catastrophic_drop", "variance_reduced"}


def alarm_rate(name: str, seed: int, runs: int) -> float:
    """The share of runs of this process about which a change is reported."""
    rng = np.random.default_rng(seed)
    alarms = 0
    for _ in range(runs):
        found = {insight.id for insight in find_insights(PROCESSES[name](rng))}
        alarms += bool(found & ALARMS)
    return alarms / runs


def _episodes(rng: Rng, reward: Floats) -> RunCurves:
    return _run(reward=Series.of(200 * np.arange(1, len(reward) + 1), reward))


def _means(rng: Rng, reward: Floats, rollout: int, *, is_known: bool = True) -> RunCurves:
    steps = 200.0 * np.arange(1, len(reward) + 1)
    series = as_means(steps, reward, rollout)
    if not is_known:
        return RunCurves(
            "Made-v0", "PPO", "sb3", series={"reward": series["reward"]}, points={"reward": VALUE}
        )
    return RunCurves("Made-v0", "PPO", "sb3", series=series, points={"reward": MEAN})


def _run(**series: Series) -> RunCurves:
    return RunCurves("Made-v0", "PPO", "sb3", series=series)


def _count(rng: Rng) -> int:
    return int(np.exp(rng.uniform(np.log(150), np.log(3000))))


def _correlated(rng: Rng, count: int, correlation: float) -> Floats:
    noise = rng.normal(0, 1, count + 100)
    values = np.empty(count + 100)
    level = 0.0
    for at, shock in enumerate(noise.tolist()):
        level = correlation * level + shock
        values[at] = level
    return values[100:]


PROCESSES: dict[str, Callable[[Rng], RunCurves]] = {
    "episodes, normal": lambda rng: _episodes(rng, rng.normal(-1200, 250, _count(rng))),
    "episodes, heavy tails": lambda rng: _episodes(rng, rng.standard_t(3, _count(rng))),
    "episodes, 0 or 1": lambda rng: _episodes(rng, (rng.random(_count(rng)) < 0.3).astype(float)),
    "episodes, correlation 0.5": lambda rng: _episodes(rng, _correlated(rng, _count(rng), 0.5)),
    "episodes, correlation 0.9": lambda rng: _episodes(rng, _correlated(rng, _count(rng), 0.9)),
    "means, 2.5 new episodes each": lambda rng: _means(rng, rng.normal(0, 1, 3 * _count(rng)), 500),
    "means, 10 new episodes each": lambda rng: _means(rng, rng.normal(0, 1, 3 * _count(rng)), 2000),
    "means, 40 new episodes each": lambda rng: _means(rng, rng.standard_t(3, 3 * _count(rng)), 8000),
    "means of correlated episodes (0.5)": lambda rng: _means(
        rng, _correlated(rng, 3 * _count(rng), 0.5), 2000
    ),
    "means, not known to be means": lambda rng: _means(
        rng, rng.normal(0, 1, 3 * _count(rng)), 2000, is_known=False
    ),
}
"""By name; `correlation` is that of neighbouring episodes."""
