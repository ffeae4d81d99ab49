"""Statistics of a run's reward that several detectors share, computed once.

Long runs are first reduced to blocks and tails, so that a million episodes take milliseconds.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rl_lab.analysis.curves import Floats, RunCurves, Series
from rl_lab.analysis.smoothing import means_by_count, means_by_step, moving_mean
from rl_lab.analysis.trend import Trend, theil_sen
from rl_lab.core.bounds import REWARD_WINDOW

RECENT_SHARE = 0.3
"""The recent window is this share of the run's steps, …"""
LEAST_RECENT = 20
"""… but at least this many episodes."""
LEAST_EPISODES = 20
LEAST_UPDATES = 5
TREND_POINTS = 24
CURVE_POINTS = 40


@dataclass(frozen=True, eq=False)
class MeanReward:
    """The mean reward of consecutive episodes with its standard error and the noise of one episode."""

    mean: float
    error: float
    noise: float
    episodes: int


class RewardCurve:
    """The reward curve of one run."""

    def __init__(self, curves: RunCurves) -> None:
        self.curves = curves
        self.series = curves.find("reward")

    @property
    def episodes(self) -> int:
        return len(self.series)

    @cached_property
    def missing(self) -> str | None:
        """What is missing for any statement about the trend; None if there is enough data."""
        return _missing(self.curves, self.episodes)

    @cached_property
    def recent(self) -> Series:
        steps = self.series.step
        cut = steps[-1] - RECENT_SHARE * (steps[-1] - steps[0])
        since = self.series.since(cut)
        return since if len(since) >= LEAST_RECENT else self.series.tail(LEAST_RECENT)

    @cached_property
    def start(self) -> MeanReward:
        head = min(max(20, self.episodes // 20), max(5, self.episodes // 4), 200)
        return mean_reward_of(self.series.value[:head])

    @cached_property
    def now(self) -> MeanReward:
        return mean_reward_of(self.recent.value)

    @cached_property
    def latest(self) -> MeanReward:
        """The last tenth of the run; shorter than `now`, so that a recent drop is visible."""
        cut = self.series.step[-1] - 0.1 * (self.series.step[-1] - self.series.step[0])
        since = self.series.since(cut)
        return mean_reward_of((since if len(since) >= 10 else self.series.tail(10)).value)

    @cached_property
    def blocks(self) -> tuple[Floats, Floats]:
        """Steps and means of blocks over the whole run."""
        return means_by_step(self.series, CURVE_POINTS)

    @cached_property
    def best(self) -> tuple[float, float]:
        """Step and mean of the best three consecutive blocks."""
        steps, means = self.blocks
        smooth = moving_mean(means, 3)[2:] if len(means) > 3 else means
        at = int(np.argmax(smooth))
        return float(steps[min(at + 1, len(steps) - 1)]), float(smooth[at])

    @cached_property
    def scale(self) -> float:
        """The range of the reward: from the start to the best value, or to the threshold."""
        reach = self.best[1] - self.start.mean
        lowest = self.best[1] - float(self.blocks[1].min())
        return max(reach, lowest, self.to_threshold, self.now.noise, 1e-9)

    @property
    def to_threshold(self) -> float:
        threshold = self.curves.reward_threshold
        return 0.0 if threshold is None else max(0.0, threshold - self.start.mean)

    @cached_property
    def gain(self) -> Trend:
        """The gain over the recent window, with its confidence interval."""
        return _gain(self.recent)

    @cached_property
    def longer_gain(self) -> Trend:
        """The gain over the second half of the run; more reliable if late episodes are long and few."""
        middle = (self.series.step[0] + self.series.step[-1]) / 2
        since = self.series.since(middle)
        return _gain(since if len(since) > len(self.recent) else self.recent)

    @cached_property
    def moved(self) -> bool:
        """Whether the reward is above its start by more than chance."""
        gained = self.now.mean - self.start.mean
        return gained > max(2.5 * float(np.hypot(self.now.error, self.start.error)), 0.1 * self.to_threshold)

    @cached_property
    def learnt(self) -> bool:
        """Whether the reward is clearly above its start."""
        gained = self.now.mean - self.start.mean
        return self.moved and gained > max(0.25 * self.to_threshold, 0.5 * self.start.noise)

    @cached_property
    def share_of_threshold(self) -> float | None:
        """The share of the way from the start to the threshold; None without a threshold."""
        threshold = self.curves.reward_threshold
        if threshold is None:
            return None
        if self.now.mean >= threshold:
            return 1.0
        return (self.now.mean - self.start.mean) / self.to_threshold if self.to_threshold else 0.0

    @cached_property
    def is_below_threshold(self) -> bool:
        """Both the recent window and the episodes that the threshold refers to are below it."""
        threshold = self.curves.reward_threshold
        if threshold is None:
            return False
        return max(self.now.mean, float(self.series.value[-REWARD_WINDOW:].mean())) < threshold

    @cached_property
    def is_improving(self) -> bool:
        if self.gain.slope < 0.07 * self.scale:
            return False
        return self.gain.is_up or (self.longer_gain.is_up and self.gain.chance_up > 0.85)

    @cached_property
    def is_flat(self) -> bool:
        """No relevant trend in the recent window."""
        if self.is_improving:
            return False
        uncertain = 0.02 < self.gain.chance_up < 0.98
        return abs(self.gain.slope) <= (0.2 if uncertain else 0.1) * self.scale

    @cached_property
    def noise(self) -> float:
        """How much the reward varies from episode to episode, over the run as a whole."""
        at = np.unique(np.linspace(0, self.episodes - 2, min(5000, self.episodes - 1)).astype(np.int64))
        jumps = self.series.value[at + 1] - self.series.value[at]
        return float(np.sqrt(np.mean(jumps**2) / 2))

    @cached_property
    def lost(self) -> float:
        """How far the latest mean is below the best one."""
        return self.best[1] - self.latest.mean

    @cached_property
    def has_dropped(self) -> bool:
        """Most of the gain is lost, far more than noise explains."""
        risen = self.best[1] - min(self.start.mean, self.latest.mean)
        # The best of many blocks is partly luck, more so the fewer episodes a block has.
        best_episodes = max(1.0, 3 * self.episodes / CURVE_POINTS)
        chance = 5 * self.noise * float(np.sqrt(1 / best_episodes + 1 / self.latest.episodes))
        # A constant reward loses nothing.
        return self.lost > 0 and self.lost >= max(0.5 * risen, 0.2 * self.to_threshold, chance)


def mean_reward_of(values: Floats) -> MeanReward:
    """Mean with a standard error from block means, which is valid even if consecutive episodes are correlated."""
    episodes = len(values)
    tail = values[-5000:]
    noise = float(np.sqrt(np.mean(np.diff(tail) ** 2) / 2)) if episodes > 1 else 0.0
    _, blocks = means_by_count(Series(values, values, values), 10)
    error = float(np.std(blocks, ddof=1) / np.sqrt(len(blocks))) if len(blocks) > 1 else float("inf")
    return MeanReward(float(values.mean()), max(error, noise / float(np.sqrt(episodes))), noise, episodes)


def _gain(series: Series) -> Trend:
    span = float(series.step[-1] - series.step[0])
    steps, means = means_by_count(series, TREND_POINTS)
    return theil_sen(steps, means).times(span) if span > 0 else Trend(0.0, 0.0, 0.0, 0.5, len(steps), 0.0)


def _missing(curves: RunCurves, episodes: int) -> str | None:
    if episodes < LEAST_EPISODES:
        return f"{LEAST_EPISODES - episodes} more episodes"
    updates = max((len(curves.find(name)) for name in ("loss", "policy_loss", "value_loss", "kl")), default=0)
    if 0 < updates < LEAST_UPDATES and episodes < 10 * LEAST_EPISODES:
        return f"{LEAST_UPDATES - updates} more learning updates"
    waiting = curves.params.get("learning_starts", 0)
    if isinstance(waiting, int | float) and curves.last_step() < 2 * waiting:
        return (
            f"{int(2 * waiting) - curves.last_step():,} more steps (learning starts at step {int(waiting):,})"
        )
    return None
