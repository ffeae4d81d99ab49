"""Runs every detector over a run, drops what contradicts a stronger finding, and orders the rest."""

from collections.abc import Callable, Mapping

from rl_lab.analysis.curves import RunCurves
from rl_lab.analysis.insights import plateaus, policy, reward, values
from rl_lab.analysis.insights.reward_curve import RewardCurve
from rl_lab.core.insights import Insight

Detector = Callable[[RunCurves, RewardCurve], Insight | None]

DETECTORS: Mapping[str, Detector] = {
    "diverged": values.diverged,
    "catastrophic_drop": reward.catastrophic_drop,
    "value_divergence": values.value_divergence,
    "learning_rate_too_high": policy.learning_rate_too_high,
    "exploration_collapsed": policy.exploration_collapsed,
    "unstable": policy.unstable,
    "stuck": plateaus.stuck,
    "learning_rate_too_low": policy.learning_rate_too_low,
    "value_not_learning": values.value_not_learning,
    "at_threshold": reward.at_threshold,
    "converged": plateaus.converged,
    "improving": reward.improving,
    "variance_reduced": reward.variance_reduced,
    "too_short": reward.too_short,
    "unclear": reward.unclear,
}
"""Every detector, the most important first."""

EXCLUDES: Mapping[str, frozenset[str]] = {
    "diverged": frozenset(
        {"value_divergence", "converged", "improving", "stuck", "variance_reduced", "unclear"}
    ),
    "catastrophic_drop": frozenset({"converged", "stuck", "variance_reduced", "at_threshold", "unclear"}),
    "at_threshold": frozenset({"stuck", "exploration_collapsed", "value_not_learning", "unclear"}),
    "converged": frozenset({"stuck", "improving", "exploration_collapsed", "value_not_learning", "unclear"}),
    "improving": frozenset({"stuck", "unclear"}),
    "stuck": frozenset({"variance_reduced", "unclear"}),
    "learning_rate_too_high": frozenset({"learning_rate_too_low", "unstable"}),
}
"""What a finding makes untrue or pointless to say; applied from the first line to the last.

A run that reached its goal may well act without exploring, and has returns too constant to explain.
"""


def find_insights(curves: RunCurves) -> list[Insight]:
    """All insights about a run, the most important first; never empty."""
    rewards = RewardCurve(curves)
    found = {insight.id: insight for detect in DETECTORS.values() if (insight := detect(curves, rewards))}
    for name, untrue in EXCLUDES.items():
        if name in found:
            found = {key: insight for key, insight in found.items() if key not in untrue}
    return list(found.values())
