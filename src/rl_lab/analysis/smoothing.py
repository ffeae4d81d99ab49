"""Reduces a series to fewer points: means over blocks, and envelopes for charts."""

import numpy as np

from rl_lab.analysis.curves import Floats, Series

Places = np.ndarray[tuple[int], np.dtype[np.int64]]


def block_edges(count: int, blocks: int) -> Places:
    """First indices of at most `blocks` nearly equal blocks over `count` points."""
    return np.unique(np.linspace(0, count, min(blocks, count), endpoint=False).astype(np.int64))


def edges_by_count(series: Series, blocks: int) -> Places:
    """First places of blocks with nearly the same number of points, those within bins counted."""
    if series.bins is None:
        return block_edges(len(series), blocks)
    before = np.cumsum(series.n) - series.n
    starts = np.linspace(0, float(series.n.sum()), min(blocks, len(series)), endpoint=False)
    return np.unique(np.minimum(np.searchsorted(before, starts), len(series) - 1))


def means_by_count(series: Series, blocks: int) -> tuple[Floats, Floats]:
    """Mean step and mean value of blocks with the same number of points."""
    steps, means, _ = block_means(series, edges_by_count(series, blocks) if len(series) else None)
    return steps, means


def means_by_step(series: Series, blocks: int, *, least: int = 5) -> tuple[Floats, Floats]:
    """Mean step and mean value of blocks with the same number of steps; blocks below `least` points are merged."""
    steps, means, _ = block_means(series, edges_by_step(series, blocks, least=least))
    return steps, means


def edges_by_step(series: Series, blocks: int, *, least: int = 5) -> Places | None:
    """First places of blocks with the same number of steps and at least `least` points."""
    if not len(series):
        return None
    bounds = np.linspace(series.step[0], series.step[-1], blocks, endpoint=False)
    return _at_least(np.searchsorted(series.step, bounds, side="left"), series, least)


def block_means(series: Series, edges: Places | None) -> tuple[Floats, Floats, Floats]:
    """Mean step, mean value and number of points of the blocks that begin at `edges`."""
    if edges is None or not len(series):
        return series.step, series.value, series.n
    n = series.n
    sizes = np.add.reduceat(n, edges)
    steps = np.add.reduceat(series.step * n, edges) / sizes
    return steps, np.add.reduceat(series.value * n, edges) / sizes, sizes


def moving_mean(values: Floats, width: int) -> Floats:
    """Trailing mean over `width` values; the first values average all values so far."""
    total = np.cumsum(np.insert(values, 0, 0.0))
    ends = np.arange(1, len(values) + 1)
    starts = np.maximum(0, ends - width)
    smooth: Floats = (total[ends] - total[starts]) / (ends - starts)
    return smooth


def envelope(series: Series, blocks: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Mean step, lowest, mean and highest value per block, for a chart that is `blocks` pixels wide."""
    if not len(series):
        return series.step, series.value, series.value, series.value
    edges = edges_by_count(series, blocks)
    steps, means, _ = block_means(series, edges)
    return steps, np.minimum.reduceat(series.low, edges), means, np.maximum.reduceat(series.high, edges)


def _at_least(edges: Places, series: Series, least: int) -> Places:
    before = np.concatenate([[0.0], np.cumsum(series.n)])
    kept = [0]
    for edge in edges[1:]:
        if before[edge] - before[kept[-1]] >= least and before[-1] - before[edge] >= least:
            kept.append(int(edge))
    return np.array(kept, dtype=np.int64)
