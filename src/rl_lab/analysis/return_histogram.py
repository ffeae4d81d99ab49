"""How the returns of episodes are distributed, as bars with round edges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rl_lab.analysis.curves import Floats
from rl_lab.core.episodes import ReturnBar, ReturnHistogram

STEPS = (1.0, 2.0, 2.5, 5.0, 10.0, 20.0)


def histogram_of(returns: Sequence[float | None], most_bars: int) -> ReturnHistogram:
    """At most so many bars of one width, whose edges are multiples of it."""
    values = np.asarray([np.nan if value is None else value for value in returns], dtype=np.float64)
    known = np.sort(values[np.isfinite(values)])
    edges = _edges(known, most_bars) if len(known) else np.empty(0)
    # The last bar includes its right edge, so that the highest return is in a bar.
    cuts = np.append(np.searchsorted(known, edges[:-1]), len(known))
    bars = [
        ReturnBar(
            start=float(start),
            end=float(end),
            low=float(known[first]) if last > first else None,
            high=float(known[last - 1]) if last > first else None,
            episodes=int(last - first),
        )
        for start, end, first, last in zip(edges[:-1], edges[1:], cuts[:-1], cuts[1:], strict=True)
    ]
    return ReturnHistogram(bars=bars, episodes=len(returns), without_return=len(returns) - len(known))


def _edges(known: Floats, most_bars: int) -> Floats:
    """Multiples of the smallest round width with which so many bars are enough."""
    low, high = float(known[0]), float(known[-1])
    for width in _round_widths((high - low) / most_bars):
        first, last = np.floor(low / width), np.ceil(high / width)
        edges = np.arange(first, max(last, first + 1) + 1) * width
        if len(edges) <= most_bars + 1:
            return edges
    return np.array([low, high])


def _round_widths(least: float) -> list[float]:
    """1, 2, 2.5 or 5 times a power of ten, from this one on; 1 for values that are all equal."""
    if not np.isfinite(least) or least <= 0:
        return [1.0]
    power = 10.0 ** np.floor(np.log10(least))
    return [float(step * power) for step in STEPS if step * power >= least]
