"""Variants of made-up sweeps."""

from __future__ import annotations

from typing import Any

from rl_lab.core.studies.studies import Variant, VariantStatus


def variant(
    number: int, settings: dict[str, Any], value: float | None = None, status: str = "finished"
) -> Variant:
    return Variant(
        study_id="s",
        number=number,
        label=f"variant {number}",
        settings=settings,
        status=VariantStatus(status),
        value=value,
    )
