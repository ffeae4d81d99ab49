"""The time of finding insights in a stored run of a million episodes, compared with sorting its rewards once."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.figures import Figure, at_most
from rl_lab.analysis.curves import Floats, RunCurves, Series
from rl_lab.analysis.insights.detect import find_insights
from rl_lab.orchestrator.runs.run_analysis import as_series
from rl_lab.store.telemetry import TelemetryReader
from rl_lab.store.telemetry.schema import open_writer
from rl_lab.store.telemetry.series_writer import SeriesWriter

EPISODES = 1_000_000
TARGET_MS = 200


class Columns(NamedTuple):
    steps: Floats
    times: Floats
    values: Floats


def figures() -> list[Figure]:
    mean = np.linspace(20, 250, EPISODES)
    reward = np.minimum(500, np.random.default_rng(5).gamma(2, mean))
    steps = 100 * np.arange(1, EPISODES + 1)
    series = {"reward": Series.of(steps, reward)}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "telemetry.db"
        _store(path, Columns(steps, 1e9 + steps / 1000, reward))
        stored = _shortest_s(lambda: find_insights(_curves(_read(path))))
    ratio = _shortest_s(lambda: find_insights(_curves(series))) / _shortest_s(lambda: np.sort(reward))
    return [
        at_most("insights on 1,000,000 episodes, against sorting them once", ratio, 1, " ×"),
        at_most("insights on 1,000,000 stored episodes", 1000 * stored, TARGET_MS, " ms"),
    ]


def _curves(series: dict[str, Series]) -> RunCurves:
    return RunCurves("Made-v0", "PPO", "sb3", series=series, reward_threshold=475.0)


def _store(path: Path, columns: Columns) -> None:
    conn = open_writer(path)
    conn.execute("BEGIN")
    SeriesWriter(conn).add({"reward": columns, "length": columns})  # type: ignore[dict-item]
    conn.execute("COMMIT")
    conn.close()


def _read(path: Path) -> dict[str, Series]:
    with TelemetryReader(path) as telemetry:
        return {name: as_series(found) for name, found in telemetry.thinned(["reward", "length"]).items()}


def _shortest_s(work: Callable[[], object], count: int = 7) -> float:
    times = []
    for _ in range(count):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times)
