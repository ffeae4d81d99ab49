"""Where the reward is going: one verdict per run, so that no two insights contradict each other."""

from typing import Literal

import numpy as np

from rl_lab.analysis.insights.reward_curve import FEW_BLOCKS, RewardCurve
from rl_lab.analysis.trend import Trend

Direction = Literal["dropped", "worse", "improving", "settled", "stuck", "unclear"]

NOTABLE = 0.07
"""A change over the recent window that is a smaller share of the reward range is not worth a sentence."""
PLATEAU_SHARE = 0.8
"""A flat run above this share of the way to the threshold has levelled off, below it it is stuck."""
USEFUL_SHARE = 0.15
"""A useful gain over the recent window, as a share of the way that is left to the threshold: at this pace the
threshold is two more runs away, because the recent window is 0.3 of a run."""
USEFUL_NOISE = 0.7
"""Without a threshold: a useful gain over the whole run, as a share of the deviation of single episodes."""
LEAST_STUCK = 40


def direction_of(rewards: RewardCurve) -> Direction:
    """The first verdict that holds, the most alarming first; `unclear` if the data support none."""
    if has_dropped(rewards):
        return "dropped"
    if is_getting_worse(rewards):
        return "worse"
    if is_improving(rewards):
        return "improving"
    if has_levelled_off(rewards):
        return "settled"
    return "stuck" if is_stuck(rewards) else "unclear"


def risen(rewards: RewardCurve) -> float:
    """From the start to the best period."""
    return rewards.best[1] - rewards.start.mean


def lost(rewards: RewardCurve) -> float:
    """From the best period down to the latest mean."""
    return rewards.best[1] - rewards.latest.mean


def has_dropped(rewards: RewardCurve) -> bool:
    """Something was gained, and most of it is lost, far more than chance explains."""
    error, away, up = _drop_error(rewards), lost(rewards), risen(rewards)
    if away <= rewards.rounding or up <= max(3 * error, 0.5 * away):
        return False
    return away >= max(0.5 * up, 0.2 * rewards.to_threshold, 5 * error)


def is_getting_worse(rewards: RewardCurve) -> bool:
    """A clear downward trend."""
    gain = rewards.gain
    if gain.slope > -NOTABLE * rewards.scale:
        return False
    return gain.is_down or (rewards.longer_gain.is_down and gain.chance_up < 0.1)


def is_improving(rewards: RewardCurve) -> bool:
    """A clear upward trend."""
    gain = rewards.gain
    if gain.slope < NOTABLE * rewards.scale:
        return False
    if gain.is_up or (rewards.longer_gain.is_up and gain.chance_up > 0.85):
        return True
    return rewards.whole_gain.is_up and gain.chance_up > 0.99


def has_levelled_off(rewards: RewardCurve) -> bool:
    """Flat, close to its best, and either near the threshold or clearly above its start."""
    share, scale = rewards.share_of_threshold, rewards.scale
    done = rewards.learnt if share is None else share >= PLATEAU_SHARE
    near_best = rewards.now.mean >= rewards.best[1] - 0.15 * scale
    return done and near_best and _is_flat(rewards) and block_spread(rewards) <= 0.15 * scale


def is_stuck(rewards: RewardCurve) -> bool:
    """Enough was played, nothing points upwards, and the interval of the gain excludes a useful one."""
    least = LEAST_STUCK if rewards.is_single else LEAST_STUCK // 5
    # A run that has learnt something may rest for a moment; one that has not is judged as a whole.
    seen = rewards.points_of(rewards.recent) if rewards.moved else rewards.episodes
    if seen < least or rewards.curves.last_step() < 0.25 * rewards.curves.total_timesteps:
        return False
    if _rises_a_little(rewards.gain, rewards.scale):
        return False
    if not rewards.moved and _rises_a_little(rewards.whole_gain, rewards.scale):
        return False
    return _stays(rewards) and excludes_useful_gain(rewards)


def _rises_a_little(gain: Trend, scale: float) -> bool:
    """A rise too small to be worth a sentence may still be the begin of learning."""
    return gain.slope > 0.02 * scale and gain.chance_up > 0.985


def _stays(rewards: RewardCurve) -> bool:
    """Neither falling nor going up and down."""
    gain, scale = rewards.gain, rewards.scale
    # Without a threshold the range of a run that learnt nothing is that of chance, which makes such slopes.
    falls = gain.slope < -0.1 * scale and (rewards.to_threshold > 0 or gain.chance_up < 0.03)
    falls = falls or (rewards.whole_gain.is_down and rewards.whole_gain.slope < -0.25 * scale)
    return not falls and block_spread(rewards) <= 0.25 * scale


def excludes_useful_gain(rewards: RewardCurve) -> bool:
    gain, useful = _useful_gain(rewards)
    share = rewards.share_of_threshold
    is_short = not rewards.moved if share is None else share < PLATEAU_SHARE
    return is_short and gain.high <= useful


def room_below_useful(rewards: RewardCurve) -> float:
    """How far the interval ends below a useful gain: 0 at it, 1 where even the highest gain is no gain."""
    gain, useful = _useful_gain(rewards)
    return float(np.clip(1 - gain.high / useful, 0.0, 1.0)) if useful > 0 else 1.0


def _useful_gain(rewards: RewardCurve) -> tuple[Trend, float]:
    """The measured gain, and the least that would be useful: over the recent window, or over the whole run."""
    goal = rewards.curves.reward_threshold
    if goal is None:
        return rewards.whole_gain, USEFUL_NOISE * rewards.noise
    return rewards.gain, USEFUL_SHARE * (goal - rewards.now.mean)


def block_spread(rewards: RewardCurve) -> float:
    """How much the policy itself changes: deviation of block means, minus the part explained by episode noise."""
    means = rewards.blocks.mean
    late = means[-max(3, int(0.3 * len(means))) :]
    if len(late) < 2:
        return 0.0
    per_block = max(1.0, rewards.now.episodes / len(late))
    return float(np.sqrt(max(0.0, late.var(ddof=1) - rewards.now.noise**2 / per_block)))


def _is_flat(rewards: RewardCurve) -> bool:
    """The interval of the recent gain leaves no room for a large change."""
    gain, scale = rewards.gain, rewards.scale
    return abs(gain.slope) <= 0.15 * scale and gain.high < 0.35 * scale and gain.low > -0.35 * scale


def _drop_error(rewards: RewardCurve) -> float:
    """Standard error of the difference between the best period and the latest mean."""
    blocks = rewards.blocks
    best = 3 if len(blocks.mean) > FEW_BLOCKS else 1
    latest = max(1.0, rewards.latest.episodes / float(np.median(blocks.n)))
    return max(rewards.block_error * float(np.sqrt(1 / best + 1 / latest)), rewards.latest.error)
