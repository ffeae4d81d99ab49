"""A Figure is one measured number beside the bar it must reach."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    what: str
    measured: str
    """With its unit, as it stands in the table."""
    bar: str
    holds: bool


def at_least(what: str, value: float, bar: float, unit: str = "") -> Figure:
    return Figure(what, f"{value:,.3g}{unit}", f"≥ {bar:g}{unit}", value >= bar)


def at_most(what: str, value: float, bar: float, unit: str = "") -> Figure:
    return Figure(what, f"{value:,.3g}{unit}", f"≤ {bar:g}{unit}", value <= bar)
