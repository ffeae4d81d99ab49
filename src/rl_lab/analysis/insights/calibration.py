"""What a confidence means: of the sentences with confidence c, about c are right.

A detector measures how strong its evidence is, on a scale of its own. The table translates this strength into the share
of right sentences among the labelled runs for tuning; `scripts/insights_quality.py --fit` writes it.
"""

from collections.abc import Mapping

from rl_lab.core.insights import Insight

Steps = tuple[tuple[float, float], ...]
"""Strength from which on, and the confidence there; ascending."""

# table: begin
TABLE: Mapping[str, Steps] = {
    "catastrophic_drop": ((0.5022, 0.99),),
    "converged": ((0.8536, 0.978), (0.99, 0.99)),
    "exploration_collapsed": ((0.85, 0.99),),
    "getting_worse": ((0.9971, 0.975), (1.0, 0.99)),
    "improving": ((0.9905, 0.854), (0.9968, 0.99)),
    "learning_rate_too_high": ((0.95, 0.984),),
    "learning_rate_too_low": ((0.9, 0.989),),
    "plateau": ((0.8848, 0.953),),
    "seeds_agree": ((0.9, 0.99),),
    "seeds_disagree": ((0.99, 0.99),),
    "stuck": ((0.5074, 0.989),),
    "unstable": ((0.8, 0.972), (0.98, 0.99)),
    "value_divergence": ((0.9787, 0.978),),
    "value_not_learning": ((0.9583, 0.986),),
    "variance_reduced": ((0.9884, 0.99),),
}
# table: end


def calibrated(insight: Insight) -> Insight:
    """The insight with its strength replaced by a confidence; facts have none."""
    if insight.confidence is None or insight.id not in TABLE:
        return insight
    steps = TABLE[insight.id]
    found = max((one for one in steps if one[0] <= insight.confidence), default=steps[0])
    return insight.model_copy(update={"confidence": found[1]})
