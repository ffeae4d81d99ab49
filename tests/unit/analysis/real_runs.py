"""Real training runs and their prefixes, labelled by what happened next.

The runs are those of `fixtures/`: SB3 trainings with their episodes, and as SB3 logs them (means over 100 episodes).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from unit.analysis import recorded

from rl_lab.analysis.curves import RunCurves, Series
from rl_lab.analysis.insights.detect import find_insights
from rl_lab.analysis.insights.reward_curve import RewardCurve
from rl_lab.core.protocol.points import MEAN

LOGS = recorded.FIXTURES / "sb3_logs.npz"
HELD_OUT = "held_out_"
"""Runs whose names begin like this were trained after the last threshold was set."""
SHARES = tuple(np.arange(0.3, 0.86, 0.05))
NEXT = 0.3
"""What happened next: the following steps, as a share of the prefix."""


@dataclass(frozen=True, eq=False)
class Prefix:
    """The first part of a run, and the mean reward of what followed."""

    name: str
    share: float
    """Of the whole run."""
    curves: RunCurves
    next_mean: float
    next_error: float


def real_runs() -> dict[str, RunCurves]:
    """By name: recorded runs, and the SB3 logs twice, with episodes and with means."""
    found = {path.stem: recorded.load(path.stem) for path in sorted(recorded.FIXTURES.glob("*.json"))}
    with np.load(LOGS) as logs:
        for name in sorted({key.split("/")[0] for key in logs}):
            part = {key.split("/")[1]: logs[key].astype(float) for key in logs if key.startswith(f"{name}/")}
            threshold = float(part["threshold"][0])
            run = RunCurves(
                name, "SB3", "adopted", reward_threshold=None if np.isnan(threshold) else threshold
            )
            means = Series.of(part["log_step"], part["mean_reward"])
            lengths = Series.of(part["log_step"], part["mean_length"])
            episodes = Series.of(part["episode_step"], part["reward"])
            found[f"{name} (episodes)"] = replace(run, series={"reward": episodes})
            found[f"{name} (means)"] = replace(
                run, series={"reward": means, "mean_length": lengths}, points={"reward": MEAN}
            )
    return found


def prefixes(*, held_out: bool) -> Iterator[Prefix]:
    """Prefixes of the runs for tuning, or of those held out."""
    for name, run in real_runs().items():
        if name.startswith(HELD_OUT) != held_out:
            continue
        last = run.series["reward"].step[-1]
        for share in SHARES:
            following = _between(run.series["reward"], share * last, share * (1 + NEXT) * last)
            if len(following) >= 3:
                error = float(following.value.std() / np.sqrt(len(following)))
                yield Prefix(
                    name, float(share), _until(run, share * last), float(following.value.mean()), error
                )


def is_right(name: str, prefix: Prefix) -> bool | None:
    """Whether a sentence about the direction fits what happened next; None for other sentences."""
    rewards = RewardCurve(prefix.curves)
    change = prefix.next_mean - rewards.now.mean
    chance, scale = 2 * float(np.hypot(prefix.next_error, rewards.now.error)), rewards.scale
    verdicts = {
        "improving": change > -chance,
        "getting_worse": change < chance,
        "stuck": change < max(0.25 * scale, chance),
        "converged": abs(change) < max(0.25 * scale, chance),
        "plateau": abs(change) < max(0.25 * scale, chance),
        "catastrophic_drop": change < max(0.5 * scale, chance),
    }
    return verdicts.get(name)


def rose(prefix: Prefix) -> bool:
    """Whether the reward rose by more than a quarter of its range afterwards."""
    rewards = RewardCurve(prefix.curves)
    return not rewards.missing and prefix.next_mean - rewards.now.mean > 0.25 * rewards.scale


def names(prefix: Prefix) -> set[str]:
    return {insight.id for insight in find_insights(prefix.curves)}


def sentences(*, held_out: bool) -> Iterator[tuple[str, float, bool]]:
    """Every sentence about the direction of a prefix: its id, its confidence, and whether it was right."""
    for prefix in prefixes(held_out=held_out):
        for insight in find_insights(prefix.curves):
            right = is_right(insight.id, prefix)
            if right is not None and insight.confidence is not None:
                yield insight.id, insight.confidence, right


def _until(run: RunCurves, step: float) -> RunCurves:
    return replace(run, series={name: _between(one, -1, step) for name, one in run.series.items()})


def _between(series: Series, start: float, stop: float) -> Series:
    return series.take((series.step > start) & (series.step <= stop))
