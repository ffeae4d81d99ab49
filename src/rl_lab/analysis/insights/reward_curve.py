"""Statistics of a run's reward that several detectors share, computed once.

All of them are about blocks of episodes: runs that log single episodes, bins of a long run and means over many
episodes are treated alike, each value with the number of episodes behind it.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rl_lab.analysis.curves import Floats, RunCurves, Series
from rl_lab.analysis.insights.correlation import error_inflation
from rl_lab.analysis.insights.logged_means import independent
from rl_lab.analysis.smoothing import block_means, edges_by_count, edges_by_step, moving_mean
from rl_lab.analysis.trend import Trend, fit_line
from rl_lab.analysis.wording import count
from rl_lab.core.bounds import REWARD_WINDOW

RECENT_SHARE = 0.3
"""The recent window is this share of the run's steps, …"""
LEAST_RECENT = 20
"""… but at least this many episodes, …"""
LEAST_MEANS = 3
LEAST_LOGGED = 8
"""… or this many independent means."""
LEAST_EPISODES = 20
LEAST_UPDATES = 5
TREND_POINTS = 24
CURVE_POINTS = 40
FEW_BLOCKS = 12
"""With so few blocks each is long enough by itself to be the best period."""
RANDOM_RANGE = 5.0
"""The means of 40 blocks differ by about this many standard errors when nothing happens."""


@dataclass(frozen=True, eq=False)
class MeanReward:
    """The mean reward of consecutive episodes with its standard error and the noise of one episode."""

    mean: float
    error: float
    noise: float
    episodes: int


@dataclass(frozen=True, eq=False)
class Blocks:
    """Means of consecutive episodes over the whole run."""

    step: Floats
    mean: Floats
    n: Floats


class RewardCurve:
    """The reward curve of one run."""

    def __init__(self, curves: RunCurves) -> None:
        self.curves = curves
        name = "mean_reward" if "mean_reward" in curves.series else "reward"
        name = "reward" if len(curves.series.get("reward", ())) else name
        self.point = curves.point_of(name)
        self.logged = curves.find(name)
        """As it was logged; sentences count these points."""
        self.series = self.logged
        if self.point.kind != "episode":
            self.series = independent(self.logged, self.point.episodes, curves.find("mean_length"))
        self.is_single = self.point.kind == "episode"
        """Whether single episodes were logged."""

    @property
    def episodes(self) -> int:
        """Logged episodes, or independent means."""
        return self.points_of(self.series)

    def points_of(self, part: Series) -> int:
        """Episodes of a part, or independent means."""
        return part.points if self.is_single else len(part)

    @property
    def unit(self) -> str:
        """What the evidence calls the points."""
        return f"{self.point.noun.replace(' ', '_')}s"

    def amount(self, part: Series) -> int:
        """How many points were logged since the start of a part that ends with the run."""
        return self.logged.since(float(part.step[0])).points if len(part) else 0

    def words(self, part: Series) -> str:
        """“120 episodes”, “12 logged means”."""
        return count(self.amount(part), self.point.noun)

    @cached_property
    def missing(self) -> str | None:
        """What is missing for any statement about the trend; None if there is enough data."""
        return _missing(self.curves, self)

    def ending(self, share: float, least: int) -> Series:
        """The last `share` of the steps, at least `least` episodes."""
        steps = self.series.step
        since = self.series.since(steps[-1] - share * (steps[-1] - steps[0]))
        least = least if self.is_single else max(1, LEAST_MEANS * least // LEAST_RECENT)
        return since if len(since) >= least else self.series.tail(least)

    @cached_property
    def recent(self) -> Series:
        return self.ending(RECENT_SHARE, LEAST_RECENT)

    @cached_property
    def start(self) -> MeanReward:
        played = np.cumsum(self.series.n)
        head = min(max(20, played[-1] / 20), max(5, played[-1] / 4), 200) if len(played) else 0
        return self.mean_of(self.series.take(slice(0, int(np.searchsorted(played, head)) + 1)))

    @cached_property
    def now(self) -> MeanReward:
        return self.mean_of(self.recent)

    @cached_property
    def latest(self) -> MeanReward:
        """The last tenth of the run; shorter than `now`, so that a recent drop is visible."""
        return self.mean_of(self.ending(0.1, 10))

    def mean_of(self, part: Series) -> MeanReward:
        """Mean with a standard error from block means, which is valid even if consecutive episodes are correlated."""
        noise, n = noise_of(part), float(part.n.sum())
        value = float(np.sum(part.value * part.n) / n)
        means = block_means(part, edges_by_count(part, 10))[1]
        few = len(means) < 5
        error = 0.0 if few else float(np.std(means, ddof=1) / np.sqrt(len(means)))
        lone = float("inf") if n < 2 else 0.0
        return MeanReward(
            value, max(error, self.inflation * noise / float(np.sqrt(n)), lone), noise, round(n)
        )

    @cached_property
    def blocks(self) -> Blocks:
        """Means of blocks over the whole run."""
        return Blocks(*block_means(self.series, edges_by_step(self.series, CURVE_POINTS)))

    @cached_property
    def block_error(self) -> float:
        """Standard error of the mean of one block: from its episodes, and from how blocks differ from neighbours."""
        per_block = float(np.median(self.blocks.n)) if len(self.blocks.n) else 1.0
        means = self.blocks.mean
        turns = np.abs(means[2:] - 2 * means[1:-1] + means[:-2])
        rough = float(np.median(turns)) / 0.6745 / float(np.sqrt(6)) if len(turns) > FEW_BLOCKS else 0.0
        return max(rough, self.inflation * self.noise / float(np.sqrt(per_block)))

    @cached_property
    def best(self) -> tuple[float, float]:
        """Step and mean of the best three consecutive blocks."""
        steps, means = self.blocks.step, self.blocks.mean
        smooth = moving_mean(means, 3)[2:] if len(means) > FEW_BLOCKS else means
        at = int(np.argmax(smooth))
        return float(steps[min(at + (len(means) > FEW_BLOCKS), len(steps) - 1)]), float(smooth[at])

    @cached_property
    def scale(self) -> float:
        """The range of the reward: from the start to the best value, or to the threshold; more than chance makes."""
        reach = self.best[1] - self.start.mean
        lowest = self.best[1] - float(self.blocks.mean.min())
        return max(reach, lowest, self.to_threshold, RANDOM_RANGE * self.block_error, self.rounding)

    @cached_property
    def rounding(self) -> float:
        """Differences below this are those of rounding, for example between the means of a constant."""
        return 1e-9 * max(float(np.abs(self.blocks.mean).max()), 1e-290)

    @property
    def to_threshold(self) -> float:
        threshold = self.curves.reward_threshold
        return 0.0 if threshold is None else max(0.0, threshold - self.start.mean)

    @cached_property
    def gain(self) -> Trend:
        """The gain over the recent window, with its confidence interval."""
        return self.gain_over(self.recent)

    @cached_property
    def longer_gain(self) -> Trend:
        """The gain over the second half of the run; more reliable if late episodes are long and few."""
        middle = (self.series.step[0] + self.series.step[-1]) / 2
        since = self.series.since(middle)
        return self.gain_over(since if len(since) > len(self.recent) else self.recent)

    @cached_property
    def whole_gain(self) -> Trend:
        """The gain over the whole run."""
        return self.gain_over(self.series)

    def gain_over(self, part: Series) -> Trend:
        """The gain over a part of the run: a line through block means."""
        span = float(part.step[-1] - part.step[0])
        if not span > 0:
            return Trend(0.0, -np.inf, np.inf, 0.5, len(part), 0.0)
        blocks = int(np.clip(len(part) // 3, 5, TREND_POINTS))
        steps, means, sizes = block_means(part, edges_by_count(part, blocks))
        error = self.inflation * noise_of(part) / float(np.sqrt(np.median(sizes)))
        return fit_line(steps, means, error).times(span)

    @cached_property
    def inflation(self) -> float:
        """How much larger errors are because neighbouring episodes resemble each other."""
        return error_inflation(self.logged.singles().value) if self.is_single else 1.0

    @cached_property
    def gained(self) -> float:
        """How far the reward is above its start."""
        return self.now.mean - self.start.mean

    @cached_property
    def has_gained(self) -> bool:
        """Whether the reward is above its start by more than chance."""
        return self.gained > max(2.5 * float(np.hypot(self.now.error, self.start.error)), self.rounding)

    @cached_property
    def moved(self) -> bool:
        """Whether the reward is above its start by more than chance, and by enough to matter."""
        return self.has_gained and self.gained > 0.1 * self.to_threshold

    @cached_property
    def learnt(self) -> bool:
        """Whether the reward is clearly above its start."""
        return self.moved and self.gained > max(0.25 * self.to_threshold, 0.4 * self.scale)

    @cached_property
    def share_of_threshold(self) -> float | None:
        """The share of the way from the start to the threshold; None without a threshold."""
        threshold = self.curves.reward_threshold
        if threshold is None:
            return None
        if self.now.mean >= threshold:
            return 1.0
        return self.gained / self.to_threshold if self.to_threshold else 0.0

    @cached_property
    def solving_mean(self) -> float:
        """The mean of the episodes that a threshold refers to: the last 100."""
        if not self.is_single:
            return float(self.logged.value[-1])
        return float(self.logged.singles().value[-REWARD_WINDOW:].mean())

    @cached_property
    def is_below_threshold(self) -> bool:
        """Both the recent window and the episodes that the threshold refers to are below it."""
        threshold = self.curves.reward_threshold
        return threshold is not None and max(self.now.mean, self.solving_mean) < threshold

    @cached_property
    def noise(self) -> float:
        """How much the reward varies from episode to episode, over the run as a whole."""
        return noise_of(self.series)


def noise_of(part: Series) -> float:
    """The deviation of single episodes around a smooth mean: from neighbours, and from the spread within bins."""
    single = part if part.bins is None else part.take(part.bins.n == 1)
    variance, weight = _jump_variance(single.value), float(len(single))
    if part.bins is not None:
        n = np.where(part.bins.n > 1, part.bins.n, 0.0)
        total = weight + float(n.sum())
        variance = (variance * weight + float(np.sum(n * part.bins.spread**2))) / max(total, 1.0)
    return float(np.sqrt(variance))


def _jump_variance(values: Floats) -> float:
    """Half the mean squared difference between neighbours, of at most 5,000 of them."""
    if len(values) < 2:
        return 0.0
    at = np.unique(np.linspace(0, len(values) - 2, min(5000, len(values) - 1)).astype(np.int64))
    return float(np.mean((values[at + 1] - values[at]) ** 2) / 2)


def _missing(curves: RunCurves, rewards: RewardCurve) -> str | None:
    episodes = rewards.episodes
    if not rewards.is_single and len(rewards.logged) < LEAST_LOGGED:
        return count(LEAST_LOGGED - len(rewards.logged), f"more {rewards.point.noun}")
    if not rewards.is_single and episodes < LEAST_MEANS:
        return f"{count(LEAST_MEANS - episodes, 'more mean')} over other episodes"
    if rewards.is_single and episodes < LEAST_EPISODES:
        return count(LEAST_EPISODES - episodes, "more episode")
    updates = max((len(curves.find(name)) for name in ("loss", "policy_loss", "value_loss", "kl")), default=0)
    if 0 < updates < LEAST_UPDATES and episodes < 10 * LEAST_EPISODES:
        return count(LEAST_UPDATES - updates, "more learning update")
    waiting = curves.params.get("learning_starts", 0)
    if isinstance(waiting, int | float) and curves.last_step() < 2 * waiting:
        return (
            f"{int(2 * waiting) - curves.last_step():,} more steps (learning starts at step {int(waiting):,})"
        )
    return None
