"""A table of 1,000,000 rows out of stored runs, as CSV and as Parquet."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from bench.figures import Figure, at_most
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run
from rl_lab.orchestrator.experiments.export_tables import stream_table
from rl_lab.store.telemetry import TelemetryDb
from rl_lab.store.telemetry.batch import Batch, Position

RUNS, METRICS, POINTS = 10, 4, 25_000
ROWS = RUNS * METRICS * POINTS
BATCH = 1000


@dataclass(frozen=True)
class Columns:
    steps: np.ndarray
    times: np.ndarray
    values: np.ndarray


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        stored = [_run(Path(folder), number) for number in range(RUNS)]
        csv, parquet = (_seconds(form, stored, Path(folder)) for form in ("csv", "parquet"))
    return [
        at_most(f"export of {ROWS:,} rows of {RUNS} runs as CSV, reading included", csv, 4, " s"),
        at_most("the same as Parquet", parquet, 1.5, " s"),
    ]


def _run(folder: Path, number: int) -> tuple[Run, Path]:
    now = datetime.now(UTC)
    config = TrainConfig(
        algorithm="ppo", env_id="CartPole-v1", seed=number, params={"learning_rate": 10.0**-number}
    )
    run = Run(id=f"{number:012}", name=f"PPO {number}", config=config, created_at=now, updated_at=now)
    path = folder / f"{number}.db"
    writer, random = TelemetryDb(path), np.random.default_rng(number)
    for start in range(0, POINTS, BATCH):
        steps = np.arange(start, start + BATCH)
        points = {
            name: Columns(steps, 1.7e9 + steps * 0.01, random.normal(size=BATCH))
            for name in ("reward", "loss", "entropy", "fps")[:METRICS]
        }
        writer.apply(Batch(Position(1, 1, start + BATCH), points=points))
    writer.close()
    return run, path


def _seconds(form: str, stored: list[tuple[Run, Path]], folder: Path) -> float:
    begun = time.perf_counter()
    with (folder / f"table.{form}").open("wb") as file:
        for chunk in stream_table("metrics", form, stored, {}, {}):
            file.write(chunk)
    return time.perf_counter() - begun
