"""Do verdicts hold? 400 A/A studies of real trainings, and the power with a planted effect.

An A/A study has two variants with the same configuration, so every "better" or "worse" is false. The returns are those
of turbo's PPO on CartPole-v1, trained in this process without recordings, each with a seed of its own. The 400 studies
with five seeds share no training: 400 × 2 × 5 = 4,000 trainings. Those with 10 and 20 seeds are drawn from the same
4,000 without replacement within a study, so different studies share trainings. The planted effect is added to the
returns of the second variant, in standard deviations of the 4,000.
"""

from __future__ import annotations

import argparse
import math
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

from bench.figures import Figure
from rl_lab.analysis.statistics.verdicts import SeedValues, judge

STUDIES, SEEDS, STEPS = 400, (3, 5, 10, 20), 12_000
EFFECTS = (1.0, 2.0)
POWER_STUDIES = 100
NOMINAL = 0.05


def figures() -> list[Figure]:
    returns = train_all(STUDIES * 2 * 5)
    print(f"    {len(returns):,} trainings: {_described(returns)}", flush=True)
    false = [_false_verdicts(returns, seeds) for seeds in SEEDS]
    return [*false, *(_power(returns, seeds, effect) for effect in EFFECTS for seeds in SEEDS)]


def train_all(count: int) -> np.ndarray:
    """The mean returns of the last 100 episodes, one per seed, from as many processes as there are cores."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        return np.array(list(pool.map(train_one, range(count), chunksize=20)))


def train_one(seed: int) -> float:
    from bench.learners_run import make_session, settings_of
    from rl_lab.runners.registry import load_runner

    asked = argparse.Namespace(
        learner="turbo",
        algorithm="ppo",
        env_id="CartPole-v1",
        seed=seed,
        threshold=math.inf,
        timesteps=STEPS,
        no_record=True,
    )
    runner = load_runner("turbo")
    params, _ = settings_of(asked, runner.spec.algorithm("ppo"))
    with tempfile.TemporaryDirectory(prefix="bench-honesty-") as folder:
        session = make_session(asked, Path(folder), "turbo", params, STEPS)
        session.checkpoint_suffix = runner.spec.checkpoint_suffix
        runner.train(session)
        session.telemetry.close()
    return float(session.recorder.mean_reward or math.nan)


def outcome(first: np.ndarray, second: np.ndarray) -> str:
    """The lab's verdict on the second variant."""
    groups = [SeedValues("A", first), SeedValues("B", second)]
    [verdict], _ = judge(groups, 0, is_best=False)
    return verdict.outcome


def _studies(returns: np.ndarray, seeds: int, count: int) -> list[tuple[np.ndarray, np.ndarray]]:
    if seeds * 2 * count <= len(returns):
        parts = returns[: seeds * 2 * count].reshape(count, 2, seeds)
    else:
        rng = np.random.default_rng(seeds)
        parts = np.array(
            [rng.choice(returns, 2 * seeds, replace=False).reshape(2, seeds) for _ in range(count)]
        )
    return [(first, second) for first, second in parts]


def _false_verdicts(returns: np.ndarray, seeds: int) -> Figure:
    found = [outcome(first, second) for first, second in _studies(returns, seeds, STUDIES)]
    share = sum(one != "not established" for one in found) / len(found)
    # Two standard errors of a share of 5 % among so many studies.
    most = NOMINAL + 2 * math.sqrt(NOMINAL * (1 - NOMINAL) / len(found))
    return Figure(
        f"{len(found)} A/A studies, {seeds} seeds each: better or worse",
        f"{share:.2%}",
        f"≤ {most:.1%}",
        share <= most,
    )


def _power(returns: np.ndarray, seeds: int, effect: float) -> Figure:
    """Reported, not required: a verdict needs five seeds, so three never find anything."""
    shift = effect * float(returns.std())
    found = [outcome(first, second + shift) for first, second in _studies(returns, seeds, POWER_STUDIES)]
    share = found.count("better") / len(found)
    wrong = found.count("worse") / len(found)
    return Figure(
        f"planted effect of {effect:g} standard deviations, {seeds} seeds each: found",
        f"{share:.0%}, opposite {wrong:.0%}",
        "reported",
        True,
    )


def _described(returns: np.ndarray) -> str:
    low, middle, high = np.percentile(returns, [0, 50, 100])
    skew = float(np.mean(((returns - returns.mean()) / returns.std()) ** 3))
    ends = f"lowest {low:.0f}, median {middle:.0f}, highest {high:.0f}"
    return f"{ends}, deviation {returns.std():.0f}, skewness {skew:.2f}"
