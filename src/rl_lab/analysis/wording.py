"""Formats numbers for sentences."""

import math


def number(value: float) -> str:
    """Three or four significant digits, with thousands separators: 1,240 · 487.2 · 0.00031."""
    if not math.isfinite(value):
        return "not a number" if math.isnan(value) else ("infinity" if value > 0 else "minus infinity")
    size = abs(value)
    if size >= 1e7 or 0 < size < 1e-4:
        return f"{value:.2e}".replace("e-0", "e-").replace("e+0", "e")
    if size >= 1000 or value == int(value):
        return f"{value:,.0f}"
    if size >= 1:
        return f"{value:.1f}" if size >= 10 else f"{value:.2f}"
    return f"{value:.3g}"


def percent(share: float) -> str:
    """A share in per cent, without decimals if it is at least one per cent."""
    return f"{100 * share:.0f} %" if abs(share) >= 0.01 or share == 0 else f"{100 * share:.2f} %"


def count(amount: int, noun: str) -> str:
    """`1 episode`, `1,200 episodes`."""
    return f"{amount:,} {noun}" if amount == 1 else f"{amount:,} {noun}s"


def sentence_list(parts: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
