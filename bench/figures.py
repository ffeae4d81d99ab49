"""A Figure is one measured number and its target."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    what: str
    measured: str
    """With its unit, as in the table."""
    target: str
    is_met: bool


def at_least(what: str, value: float, target: float, unit: str = "") -> Figure:
    return Figure(what, f"{value:,.3g}{unit}", f"≥ {target:g}{unit}", value >= target)


def at_most(what: str, value: float, target: float, unit: str = "") -> Figure:
    return Figure(what, f"{value:,.3g}{unit}", f"≤ {target:g}{unit}", value <= target)
