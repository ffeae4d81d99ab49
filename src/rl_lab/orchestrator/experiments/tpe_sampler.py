"""The sampler of TPE sweeps: asks the analysis, which asks Optuna."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rl_lab.core.studies.studies import Study, Variant


class TpeSampler:
    """Keeps nothing; the first question imports Optuna, which takes 0.2 s on the thread that asks."""

    def suggest(self, study: Study, variants: Sequence[Variant]) -> dict[str, Any] | None:
        """See `Sampler`."""
        from rl_lab.analysis.sweeps.axes import axes_of
        from rl_lab.analysis.sweeps.tpe import suggest

        sweep = study.plan.sweep
        if sweep is None:
            return None
        return suggest(axes_of(sweep), variants, seed=sweep.seed or 0, points=sweep.points or 1)
