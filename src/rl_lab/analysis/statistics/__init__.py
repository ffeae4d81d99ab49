"""Statistics over seeds and episodes, one idea per file; numpy only, and the same values always give the same numbers.

May import the curves of `analysis` and `core`.
"""

from rl_lab.analysis.statistics.estimates import (
    Estimate,
    PairedEstimate,
    bootstrap,
    difference,
    interquartile_mean,
    iqm,
    mean,
    median,
    paired_difference,
    student_quantile,
)

__all__ = [
    "Estimate",
    "PairedEstimate",
    "bootstrap",
    "difference",
    "interquartile_mean",
    "iqm",
    "mean",
    "median",
    "paired_difference",
    "student_quantile",
]
