"""Series that break careless arithmetic, and runs made of them."""

from collections.abc import Mapping

import numpy as np

from rl_lab.analysis.curves import Floats, RunCurves, Series

RNG = np.random.default_rng(8)
NOISE = RNG.normal(0, 1, 400)

SHAPES: Mapping[str, Floats] = {
    "empty": np.array([]),
    "one_point": np.array([3.0]),
    "two_points": np.array([3.0, 4.0]),
    "constant": np.full(300, 500.0),
    "constant_zero": np.zeros(300),
    "constant_short": np.full(20, -200.0),
    "tiny": 1e-300 * NOISE,
    "subnormal": np.full(100, 5e-324),
    "huge": 1e307 * NOISE,
    "largest": np.full(100, 1.7e308),
    "both_signs_of_the_largest": np.tile([1.7e308, -1.7e308], 60),
    "not_a_number": np.full(100, np.nan),
    "infinite": np.full(100, np.inf),
    "minus_infinite": np.full(100, -np.inf),
    "one_infinity": np.append(NOISE, np.inf),
    "mostly_gaps": np.where(np.arange(400) % 7, np.nan, NOISE),
    "two_values": (np.arange(400) % 2).astype(np.float64),
    "one_outlier": np.append(np.zeros(300), 1e12),
    "noise": NOISE,
    "million": RNG.normal(10, 1, 1_000_000),
    "million_constant": np.ones(1_000_000),
}
"""By name; every detector, report and command must survive each of them."""

METRICS = (
    "reward",
    "mean_reward",
    "length",
    "kl",
    "clip_fraction",
    "entropy",
    "loss",
    "value_loss",
    "policy_loss",
    "explained_variance",
    "exploration_rate",
)


def run_of_shape(name: str, *, threshold: float | None = None, apart: int = 100) -> RunCurves:
    """A run in which every metric has this shape; with `apart` 0 all points have the same step."""
    values = SHAPES[name]
    series = Series.of(apart * np.arange(1, len(values) + 1), values)
    return RunCurves(
        "Made-v0",
        "PPO",
        "sb3",
        {"learning_rate": 3e-4, "target_kl": 0.0, "learning_starts": 0},
        total_timesteps=10_000,
        reward_threshold=threshold,
        series=dict.fromkeys(METRICS, series),
    )
