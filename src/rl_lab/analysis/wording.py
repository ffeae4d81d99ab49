"""Formats numbers for sentences."""

import math

MINUS = "\N{MINUS SIGN}"


def number(value: float) -> str:
    """Three or four significant digits, with thousands separators: 1,240 · 487.2 · 0.00031."""
    if not math.isfinite(value):
        return "not a number" if math.isnan(value) else ("infinity" if value > 0 else "minus infinity")
    digits = _digits(abs(value))
    return f"{MINUS}{digits}" if value < 0 else digits


def _digits(size: float) -> str:
    if size >= 1e7 or 0 < size < 1e-4:
        mantissa, exponent = f"{size:.2e}".split("e")
        return f"{float(mantissa):g}e{int(exponent)}"
    if size >= 1000 or size == int(size):
        return f"{size:,.0f}"
    if size >= 1:
        return f"{size:.1f}" if size >= 10 else f"{size:.2f}"
    return f"{size:.3g}"


def signed(value: float) -> str:
    """A change, with its sign: +12.4, −3."""
    return f"+{number(value)}" if value > 0 else number(value)


def percent(share: float) -> str:
    """A share in per cent, without decimals if it is at least one per cent."""
    return f"{100 * share:.0f} %" if abs(share) >= 0.01 or share == 0 else f"{100 * share:.2f} %"


def count(amount: int, noun: str) -> str:
    """`1 episode`, `1,200 episodes`."""
    return f"{amount:,} {noun}" if amount == 1 else f"{amount:,} {noun}s"


def sentence_list(parts: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
