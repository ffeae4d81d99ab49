"""How far an interval from few values can be trusted, and how that is written. Decided here for the whole lab."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

LEAST_VALUES = 5
"""Fewer values give no interval: with three, one meant to be 95 % contains the true mean in 76 % of cases."""
NOMINAL = 0.95
"""What the calculation aims at."""
SIMULATED = {5: 0.90, 6: 0.92, 7: 0.92, 8: 0.93, 9: 0.93}
"""By number of values, how often the interval contained the true mean: the lower of normal and skewed values
(a gamma distribution with skewness 1). From ten values on it is at most 0.02 below `NOMINAL`.
A test simulates it again."""
FEW = 0.90
"""Stated for five to nine values: the lowest of `SIMULATED`."""
ALL_EQUAL = "all values are equal"
"""Values without any spread say nothing about how far the true mean may be from theirs."""
TOO_FEW = f"too few for an interval: {LEAST_VALUES} needed"


def stated_level(count: int) -> float | None:
    """The share of intervals from so many values that contain the true mean; None: too few for an interval."""
    if count < LEAST_VALUES:
        return None
    return FEW if count in SIMULATED else NOMINAL


def level_text(level: float) -> str:
    """ "95 %", "about 90 %" """
    percent = f"{level * 100:.0f} %"
    return percent if level >= NOMINAL else f"about {percent}"


def why_none(ends: Sequence[float | None] | None, level: float | None) -> str | None:
    """Why no interval is shown; None where there is one to show."""
    if ends is None or level is None:
        return TOO_FEW
    return ALL_EQUAL if ends[0] == ends[1] else None


def with_levels(result: Mapping[str, Any]) -> dict[str, Any]:
    """A stored result of an evaluation or duel; those of earlier versions get the level of their number of values."""
    found = _levelled(result, "return_ci", ("episodes",))
    for name in ("sides", "differences"):
        if isinstance(found.get(name), list):
            found[name] = [_levelled_part(one) if isinstance(one, Mapping) else one for one in found[name]]
    return found


def _levelled_part(part: Mapping[str, Any]) -> dict[str, Any]:
    """A side of a duel, or the difference between two."""
    found = _levelled(part, "ci", ("wins_first", "wins_second", "ties"))
    if isinstance(found.get("summary"), Mapping):
        found["summary"] = with_levels(found["summary"])
    return found


def _levelled(found: Mapping[str, Any], ends: str, counts: tuple[str, ...]) -> dict[str, Any]:
    numbers = [found.get(name) for name in counts]
    if ends not in found or f"{ends}_level" in found or not all(isinstance(n, int) for n in numbers):
        return dict(found)
    level = stated_level(sum(n for n in numbers if isinstance(n, int)))
    return {**found, ends: found[ends] if level is not None else [None, None], f"{ends}_level": level}
