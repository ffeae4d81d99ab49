"""Sampling: a sweep whose points depend on the results so far asks a Sampler for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from rl_lab.core.studies.studies import Study, Variant


class Sampler(Protocol):
    """Chooses the next point of a sweep. It keeps nothing: all it knows are the study and its variants."""

    def suggest(self, study: Study, variants: Sequence[Variant]) -> dict[str, Any] | None:
        """Settings of the next variant, by the names of `study.plan.sweep.parameters`; None when there is no other.

        Called on a thread when a slot is free, once per variant. Variants that have not ended have no value yet.
        Integer ranges have step 1.
        """
        ...
