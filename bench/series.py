"""A series of a million points: an overview of 2,000, and zooms into it."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.figures import Figure, at_most
from rl_lab.store.telemetry import TelemetryDb, TelemetryReader
from rl_lab.store.telemetry.batch import Batch, Position

POINTS = 1_000_000
BATCH = 1000


@dataclass(frozen=True)
class Columns:
    steps: np.ndarray
    times: np.ndarray
    values: np.ndarray


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "telemetry.db"
        _fill(path)
        with TelemetryReader(path) as reader:
            overview = _median_ms(lambda: reader.overview("loss", 2000))
            zoom = _median_ms(lambda: reader.overview("loss", 2000, start=300_000, stop=700_000))
    return [
        at_most("series of 1,000,000 points: overview of 2,000", overview, 20, " ms"),
        at_most("the same, zoomed into 400,000 points", zoom, 60, " ms"),
    ]


def _fill(path: Path) -> None:
    writer = TelemetryDb(path)
    values = np.random.default_rng(0).normal(size=POINTS).cumsum()
    for start in range(0, POINTS, BATCH):
        steps = np.arange(start, start + BATCH)
        columns = Columns(steps, 1.7e9 + steps * 0.01, values[start : start + BATCH])
        writer.apply(Batch(Position(1, 1, start + BATCH), points={"loss": columns}))
    writer.close()


def _median_ms(work: Callable[[], object], count: int = 15) -> float:
    times = []
    for _ in range(count):
        begun = time.perf_counter()
        work()
        times.append((time.perf_counter() - begun) * 1000)
    return statistics.median(times)
