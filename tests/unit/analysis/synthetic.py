"""Simulated training runs with a known truth: a skill with a given course, observed through an environment's noise.

`make_runs(seed, count)` simulates runs over five kinds of environment, a dozen courses of learning and faults, and
three ways of logging: single episodes, long runs of up to 100,000 episodes, and SB3's means over 100 episodes.
`truth.py` defines what the detectors should report about them.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from unit.analysis.faults import FAULTS, healthy_updates

from rl_lab.analysis.curves import Floats, RunCurves, Series
from rl_lab.core.bounds import REWARD_WINDOW
from rl_lab.core.protocol.points import MEAN

Rng = np.random.Generator
REPLICAS = 100


@dataclass(frozen=True)
class World:
    """An environment: how the reward of an episode is distributed, given a skill from 0 to 1."""

    env_id: str
    threshold: float | None
    sample: Callable[[Rng, Floats], Floats]
    length: Callable[[Rng, Floats], Floats]
    actions: int


@dataclass(frozen=True, eq=False)
class MadeRun:
    """A simulated run with its truth: the true mean and deviation of each episode."""

    curves: RunCurves
    world: str
    course: str
    fault: str
    mean: Floats
    deviation: Floats
    late_ratio_error: float
    """Random error of the logarithm of the ratio between the variances of the last two quarters."""
    reward: Floats
    """As each episode was played; the curves may have means of them."""
    logging: str = "episodes"


def _cart_pole(rng: Rng, skill: Floats) -> Floats:
    survival = 12 * np.exp(np.clip(skill, 0, 1.2) * 6.0)
    return np.minimum(500, np.floor(9 + rng.gamma(2.0, survival / 2)))


def _lunar_lander(rng: Rng, skill: Floats) -> Floats:
    noise = rng.standard_t(3, skill.shape) * (70 - 45 * np.clip(skill, 0, 1))
    crash = (rng.random(skill.shape) < 0.08) * rng.uniform(-250, -50, skill.shape)
    return -190 + 450 * skill + noise + crash


def _pendulum(rng: Rng, skill: Floats) -> Floats:
    return -rng.gamma(6.0, (1400 - 1230 * np.clip(skill, 0, 1.05)) / 6.0)


WORLDS = {
    "cart_pole": World("CartPole-v1", 475.0, _cart_pole, lambda rng, reward: reward, 2),
    "frozen_lake": World(
        "FrozenLake-v1",
        0.70,
        lambda rng, skill: (rng.random(skill.shape) < np.clip(0.015 + 0.8 * skill, 0, 0.97)).astype(
            np.float64
        ),
        lambda rng, reward: rng.integers(4, 60, reward.shape).astype(np.float64),
        4,
    ),
    "lunar_lander": World(
        "LunarLander-v3", 200.0, _lunar_lander, lambda rng, reward: rng.uniform(80, 700, reward.shape), 4
    ),
    "mountain_car": World(
        "MountainCar-v0",
        -110.0,
        lambda rng, skill: np.maximum(-200, np.round(-205 + 105 * skill + rng.normal(0, 9, skill.shape))),
        lambda rng, reward: -reward,
        3,
    ),
    "pendulum": World("Pendulum-v1", None, _pendulum, lambda rng, reward: np.full(reward.shape, 200.0), 0),
}


def _rise(u: Floats, middle: float, width: float) -> Floats:
    return 1 / (1 + np.exp(-(u - middle) / width))


def _solved(rng: Rng, u: Floats) -> Floats:
    return rng.uniform(0.95, 1.05) * _rise(u, rng.uniform(0.15, 0.4), rng.uniform(0.02, 0.05))


def _plateau(rng: Rng, u: Floats) -> Floats:
    return rng.uniform(0.3, 0.5) * _rise(u, rng.uniform(0.1, 0.3), rng.uniform(0.02, 0.05))


def _collapse(rng: Rng, u: Floats) -> Floats:
    fall = _rise(u, rng.uniform(0.65, 0.85), rng.uniform(0.003, 0.02))
    return _solved(rng, u) * (1 - rng.uniform(0.85, 1.0) * fall)


def _recovered(rng: Rng, u: Floats) -> Floats:
    dip = np.exp(-(((u - rng.uniform(0.5, 0.6)) / 0.04) ** 2))
    return _solved(rng, u) * (1 - rng.uniform(0.6, 0.9) * dip)


def _calmer(rng: Rng, u: Floats) -> Floats:
    """Solved on average, but with large differences between episodes until late."""
    swing = rng.normal(0, 0.35, u.shape) * (u < 0.74)
    return np.clip(0.95 * _rise(u, 0.12, 0.03) - np.abs(swing), 0, 1)


def _swinging(rng: Rng, u: Floats) -> Floats:
    """Slow ups and downs between little and much skill."""
    return 0.45 - 0.4 * np.cos(2 * np.pi * (u * rng.uniform(1.5, 3.5) + rng.choice([0.0, 0.5])))


def _drifting(rng: Rng, u: Floats) -> Floats:
    knots = int(rng.integers(6, 40))
    walk = np.cumsum(rng.normal(0, 1, knots))
    walk = (walk - walk.min()) / (np.ptp(walk) + 1e-9)
    return rng.uniform(0.2, 1.0) * np.interp(u, np.linspace(0, 1, knots), walk)


COURSES: dict[str, Callable[[Rng, Floats], Floats]] = {
    "solved": _solved,
    "rising": lambda rng, u: rng.uniform(0.7, 1.0) * u ** rng.uniform(0.9, 1.6),
    "late_rise": lambda rng, u: _rise(u, rng.uniform(0.8, 0.95), rng.uniform(0.06, 0.1)),
    "floor": lambda rng, u: np.full(u.shape, rng.uniform(0.0, 0.03)),
    "plateau": _plateau,
    "collapse": _collapse,
    "decline": lambda rng, u: _solved(rng, u) * np.clip(1 - 1.3 * np.maximum(0, u - 0.5) / 0.4, 0, 1),
    "recovered": _recovered,
    "calmer": _calmer,
    "sinking": lambda rng, u: rng.uniform(0.5, 0.9) * (1 - rng.uniform(0.8, 1.0) * u),
    "swinging": _swinging,
    "constant": lambda rng, u: np.full(u.shape, float(rng.choice([0.0, 1.0]))),
    "stationary": lambda rng, u: np.full(u.shape, rng.uniform(0.1, 0.7)),
    "short": lambda rng, u: 0.1 * u,
}
LOGGINGS = ("episodes", "means", "long")


def make_run(
    rng: Rng,
    world_name: str,
    course: str,
    fault: str,
    *,
    episodes: int = 0,
    replicas: int = REPLICAS,
    logging: str = "episodes",
) -> MadeRun:
    """One run; its numbers depend only on the generator's state."""
    world = WORLDS[world_name]
    episodes = episodes or _episodes(rng, course, logging)
    replicas = min(replicas, max(2, 2_000_000 // episodes))
    u = np.linspace(0, 1, episodes)
    wander = 0.0 if course == "constant" else _wander(rng, episodes)
    skill = (_drifting if course == "drifting" else COURSES[course])(rng, u) + wander
    reward = world.sample(rng, skill)
    if course == "constant":
        reward = np.full(episodes, reward[0])
    steps = np.cumsum(np.maximum(1, world.length(rng, reward)))
    again = world.sample(rng, np.broadcast_to(skill, (replicas, episodes)))
    again = np.broadcast_to(reward, again.shape) if course == "constant" else again
    updates = 3 if course == "short" else int(rng.integers(16, 160))
    at = np.linspace(steps[-1] / updates, steps[-1], updates)
    params: dict[str, Any] = {"learning_rate": 3e-4, "ent_coef": 0.0, "clip_range": 0.2, "vf_coef": 0.5}
    series = {"reward": Series.of(steps, reward)}
    level = np.interp(at, steps, skill)
    series |= {
        name: Series.of(at, values)
        for name, values in FAULTS[fault](rng, healthy_updates(rng, level, world.actions)).items()
    }
    curves = RunCurves(
        world.env_id, "PPO", "made-up", params, int(steps[-1]), world.threshold, "succeeded", series
    )
    made = MadeRun(
        curves,
        world_name,
        course,
        fault,
        again.mean(axis=0),
        again.std(axis=0),
        _ratio_error(again),
        reward,
    )
    if fault == "infinite_reward":
        made = replace(made, curves=_with_infinities(rng, curves))
    if logging != "means" or fault == "infinite_reward":
        return made
    return logged_as_means(made, int(rng.choice([512, 2048, 8192])))


def _with_infinities(rng: Rng, curves: RunCurves) -> RunCurves:
    reward = curves.series["reward"]
    value = reward.value.copy()
    value[rng.integers(len(value) // 2, len(value), 3)] = rng.choice([np.inf, -np.inf, np.nan])
    return replace(curves, series={**curves.series, "reward": replace(reward, value=value)})


def logged_as_means(run: MadeRun, rollout: int) -> MadeRun:
    """The same run as SB3 logs it: after each rollout the mean reward and length of the last 100 episodes."""
    steps = run.curves.series["reward"].step
    _, last = _logged_at(steps, rollout)
    series = {**run.curves.series, **as_means(steps, run.curves.series["reward"].value, rollout)}
    return replace(
        run,
        curves=replace(run.curves, series=series, points={"reward": MEAN}),
        mean=_rolling(run.mean, last),
        deviation=np.sqrt(_rolling(run.deviation**2, last) / np.minimum(REWARD_WINDOW, last + 1)),
        logging="means",
    )


def as_means(steps: Floats, reward: Floats, rollout: int) -> dict[str, Series]:
    """The series that SB3 logs of these episodes."""
    at, last = _logged_at(steps, rollout)
    means = Series.of(at, _rolling(reward, last))
    lengths = Series.of(at, _rolling(np.diff(steps, prepend=0.0), last))
    return {"reward": means, "mean_reward": means, "mean_length": lengths}


def _logged_at(steps: Floats, rollout: int) -> tuple[Floats, Any]:
    """The steps at which a rollout ends, and the last episode before each."""
    at = np.arange(rollout, steps[-1] + rollout, rollout)
    last = np.searchsorted(steps, at, side="right") - 1
    return at[last >= 0], last[last >= 0]


def _rolling(values: Floats, last: Any) -> Floats:
    total = np.concatenate([[0.0], np.cumsum(values)])
    first = np.maximum(0, last + 1 - REWARD_WINDOW)
    return np.asarray((total[last + 1] - total[first]) / (last + 1 - first))


def make_runs(seed: int, count: int) -> list[MadeRun]:
    """Runs of all kinds in turn, so that each course and each fault occurs equally often."""
    rng = np.random.default_rng(seed)
    runs = []
    for index in range(count):
        world = list(WORLDS)[index % len(WORLDS)]
        course = str(rng.choice([name for name in COURSES if name != "short"])) if index % 15 else "short"
        fault = list(FAULTS)[index // 2 % len(FAULTS)] if course != "short" and index % 2 else "none"
        # These two are faults only if nothing is being learnt.
        course = "floor" if fault in ("frozen_policy", "dead_exploration") else course
        logging = "episodes" if course == "short" else _logging(index)
        runs.append(make_run(rng, world, course, fault, logging=logging))
    return runs


def make_drifting_runs(seed: int, count: int) -> list[MadeRun]:
    """Runs whose skill drifts at random. No threshold was set on such runs: they show what unfamiliar data does."""
    rng = np.random.default_rng(seed)
    worlds = list(WORLDS)
    return [
        make_run(
            rng, worlds[at % len(worlds)], "drifting", "none", logging="means" if at % 3 == 1 else "episodes"
        )
        for at in range(count)
    ]


def _logging(index: int) -> str:
    """Every third run logs means, one in forty is long."""
    return "long" if index % 40 == 7 else "means" if index % 3 == 1 else "episodes"


def _episodes(rng: Rng, course: str, logging: str) -> int:
    if course == "short":
        return int(rng.integers(3, 18))
    low, high = {"long": (50_000, 100_000), "means": (800, 6000)}.get(logging, (150, 3000))
    return int(np.exp(rng.uniform(np.log(low), np.log(high))))


def _ratio_error(replicas: Floats) -> float:
    half = max(1, min(replicas.shape[1] // 4, 1000))
    jumps = np.diff(replicas[:, -2 * half - 1 :], axis=1) ** 2
    before, after = jumps[:, :half].mean(axis=1), jumps[:, half:].mean(axis=1)
    return float(np.std(np.log(np.maximum(after, 1e-9)) - np.log(np.maximum(before, 1e-9))))


def _wander(rng: Rng, episodes: int) -> Floats:
    """Policies drift a little between updates: autocorrelated noise of about one per cent."""
    smooth = np.convolve(rng.normal(0, 1, episodes + 14), np.ones(15) / 15, mode="valid")
    return np.asarray(0.04 * smooth, dtype=np.float64)


def make_seed_groups(seed: int, count: int) -> list[tuple[bool, list[MadeRun]]]:
    """Groups of three to six seeds, alternately all solved and partly solved; the flag is whether they disagree."""
    rng = np.random.default_rng(seed)
    groups = []
    for index in range(count):
        world, size, differ = list(WORLDS)[index % len(WORLDS)], int(rng.integers(3, 7)), index % 2 == 1
        poor, episodes = int(rng.integers(1, size)) if differ else 0, int(rng.integers(200, 800))
        # If the pole always falls early, the same number of steps contains many more episodes.
        short = 16 * episodes if world == "cart_pole" else episodes
        runs = [make_run(rng, world, "floor", "none", episodes=short, replicas=2) for _ in range(poor)]
        runs += [
            make_run(rng, world, "solved", "none", episodes=episodes, replicas=2) for _ in range(size - poor)
        ]
        groups.append((differ, runs))
    return groups
