"""Reading 100 event files of 10,000 scalars: the lab's reader compared with TensorBoard's EventAccumulator.

Both read the same files in the same process, alternately, and both keep every point. The files look like those of a
training: eight alternating tags, one record each.
"""

from __future__ import annotations

import io
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bench.figures import Figure, at_least
from rl_lab.analysis.event_files import Column, read_scalars, write_columns, write_head

FILES, POINTS, TAGS = 100, 10_000, 8
ROUNDS = 5


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        files = _write(Path(folder))
        _ours(files[0]), _theirs(files[0])  # warm-up: the first call does one-time work
        ours = theirs = 0.0
        share = len(files) // ROUNDS
        for start in range(0, len(files), share):
            part = files[start : start + share]
            ours += _time(_ours, part)
            theirs += _time(_theirs, part)
    what = f"event files, {FILES} × {POINTS:,} scalars: the lab's reader, times faster than EventAccumulator"
    return [at_least(what, theirs / ours, 5, "×")]


def _write(folder: Path) -> list[Path]:
    """Writes points of alternating tags, like a training does; all files are copies of one."""
    values = np.random.default_rng(0).normal(size=(POINTS // TAGS, TAGS))
    file = io.BytesIO()
    write_head(file, {"seed": 0}, wall_time=1.7e9)
    for row, step in zip(values, range(0, 10**9, 2048), strict=False):
        at = (np.array([step], np.int64), np.array([1.7e9 + step / 1000]))
        write_columns(file, {f"charts/series_{n}": Column(*at, row[n : n + 1]) for n in range(TAGS)})
    paths = [folder / f"events.out.tfevents.{n}" for n in range(FILES)]
    for path in paths:
        path.write_bytes(file.getvalue())
    return paths


def _ours(path: Path) -> None:
    assert read_scalars(path).points == POINTS


def _theirs(path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    accumulator = EventAccumulator(str(path), size_guidance={"scalars": 0})
    accumulator.Reload()
    tags = accumulator.Tags()["scalars"]
    assert sum(len(accumulator.Scalars(tag)) for tag in tags) == POINTS


def _time(read: Callable[[Path], None], files: list[Path]) -> float:
    begun = time.perf_counter()
    for path in files:
        read(path)
    return time.perf_counter() - begun
