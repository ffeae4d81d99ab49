"""Runs all detectors on a run, drops insights that contradict a stronger one, and sorts the rest."""

import logging
import math
from collections.abc import Callable, Mapping

import numpy as np

from rl_lab.analysis.curves import RunCurves
from rl_lab.analysis.insights import plateaus, policy, reward, values
from rl_lab.analysis.insights.calibration import calibrated
from rl_lab.analysis.insights.reward_curve import RewardCurve
from rl_lab.core.insights import Insight

log = logging.getLogger(__name__)

Detector = Callable[[RunCurves, RewardCurve], Insight | None]

DETECTORS: Mapping[str, Detector] = {
    "diverged": values.diverged,
    "catastrophic_drop": reward.catastrophic_drop,
    "getting_worse": reward.getting_worse,
    "value_divergence": values.value_divergence,
    "learning_rate_too_high": policy.learning_rate_too_high,
    "exploration_collapsed": policy.exploration_collapsed,
    "unstable": policy.unstable,
    "stuck": plateaus.stuck,
    "learning_rate_too_low": policy.learning_rate_too_low,
    "value_not_learning": values.value_not_learning,
    "at_threshold": reward.at_threshold,
    "converged": plateaus.converged,
    "plateau": plateaus.plateau,
    "improving": reward.improving,
    "variance_reduced": reward.variance_reduced,
    "too_short": reward.too_short,
    "unclear": reward.unclear,
}
"""All detectors, the most important first."""

SILENT_AT_THE_GOAL = frozenset(
    {
        "stuck",
        "unclear",
        "exploration_collapsed",
        "value_not_learning",
        "unstable",
        "learning_rate_too_high",
        "learning_rate_too_low",
    }
)
"""A run that reached its goal may act without exploring, with large updates and returns too constant to predict."""

EXCLUDES: Mapping[str, frozenset[str]] = {
    "diverged": frozenset(
        {"value_divergence", "converged", "plateau", "improving", "stuck", "variance_reduced", "unclear"}
    ),
    "catastrophic_drop": frozenset({"variance_reduced", "at_threshold"}),
    "getting_worse": frozenset({"variance_reduced"}),
    "at_threshold": SILENT_AT_THE_GOAL,
    "converged": SILENT_AT_THE_GOAL,
    "stuck": frozenset({"variance_reduced"}),
    "learning_rate_too_high": frozenset({"learning_rate_too_low", "unstable"}),
}
"""The insights that each insight excludes; applied from top to bottom.

Of the verdicts on the direction of the reward only one is found: `direction.py`."""


def find_insights(curves: RunCurves) -> list[Insight]:
    """All insights about a run, the most important first, good news first if it is solved."""
    rewards = RewardCurve(curves)
    found = {name: insight for name in DETECTORS if (insight := _ask(name, curves, rewards))}
    for name, excluded in EXCLUDES.items():
        if name in found:
            found = {key: insight for key, insight in found.items() if key not in excluded}
    return sorted(found.values(), key=lambda one: "at_threshold" in found and one.level != "good")


def _ask(name: str, curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    """What one detector found; one that fails costs its own sentence, not the page."""
    try:
        with np.errstate(all="ignore"):
            insight = DETECTORS[name](curves, rewards)
    except Exception:
        log.exception("The insight %s could not be computed; it is left out.", name)
        return None
    return insight and calibrated(_finite(insight))


def _finite(insight: Insight) -> Insight:
    """Without the numbers of the evidence that JSON cannot express."""
    kept = {key: one for key, one in insight.evidence.items() if isinstance(one, str) or math.isfinite(one)}
    return insight.model_copy(update={"evidence": kept})
