"""Runs all detectors on a run, drops insights that contradict a stronger one, and sorts the rest."""

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
"""All detectors, the most important first."""

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
"""The insights that each insight excludes; applied from top to bottom.

A run that reached its goal may act without exploring, and its returns may be too constant for explained variance.
"""


def find_insights(curves: RunCurves) -> list[Insight]:
    """All insights about a run, the most important first; never empty."""
    rewards = RewardCurve(curves)
    found = {insight.id: insight for detect in DETECTORS.values() if (insight := detect(curves, rewards))}
    for name, excluded in EXCLUDES.items():
        if name in found:
            found = {key: insight for key, insight in found.items() if key not in excluded}
    return list(found.values())
