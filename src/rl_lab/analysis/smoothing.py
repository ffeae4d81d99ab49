"""Reduces a series to fewer points: means over blocks, and envelopes for charts."""

import numpy as np

from rl_lab.analysis.curves import Floats, Series


def block_edges(count: int, blocks: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """First indices of at most `blocks` nearly equal blocks over `count` points."""
    return np.unique(np.linspace(0, count, min(blocks, count), endpoint=False).astype(np.int64))


def means_by_count(series: Series, blocks: int) -> tuple[Floats, Floats]:
    """Mean step and mean value of blocks with the same number of points."""
    if not len(series):
        return series.step, series.value
    edges = block_edges(len(series), blocks)
    sizes = np.diff(np.append(edges, len(series)))
    return np.add.reduceat(series.step, edges) / sizes, np.add.reduceat(series.value, edges) / sizes


def means_by_step(series: Series, blocks: int, *, least: int = 5) -> tuple[Floats, Floats]:
    """Mean step and mean value of blocks with the same number of steps; blocks below `least` points are merged."""
    if not len(series):
        return series.step, series.value
    bounds = np.linspace(series.step[0], series.step[-1], blocks, endpoint=False)
    edges = _at_least(np.searchsorted(series.step, bounds, side="left"), len(series), least)
    sizes = np.diff(np.append(edges, len(series)))
    return np.add.reduceat(series.step, edges) / sizes, np.add.reduceat(series.value, edges) / sizes


def moving_mean(values: Floats, width: int) -> Floats:
    """Trailing mean over `width` values; the first values average all values so far."""
    total = np.cumsum(np.insert(values, 0, 0.0))
    ends = np.arange(1, len(values) + 1)
    starts = np.maximum(0, ends - width)
    smooth: Floats = (total[ends] - total[starts]) / (ends - starts)
    return smooth


def envelope(series: Series, blocks: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Mean step, lowest, mean and highest value per block, for a chart that is `blocks` pixels wide."""
    steps, means = means_by_count(series, blocks)
    if not len(series):
        return steps, means, means, means
    edges = block_edges(len(series), blocks)
    return steps, np.minimum.reduceat(series.value, edges), means, np.maximum.reduceat(series.value, edges)


def _at_least(
    edges: np.ndarray[tuple[int], np.dtype[np.int64]], count: int, least: int
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    kept = [0]
    for edge in edges[1:]:
        if edge - kept[-1] >= least and count - edge >= least:
            kept.append(int(edge))
    return np.array(kept, dtype=np.int64)
