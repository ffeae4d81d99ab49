"""HDF5 and NPZ in D4RL's form: one row per step, with the observation after it."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import INFOS, OBSERVATIONS, WHO
from rl_lab.core.errors import NotReady
from rl_lab.core.extras import how_to_install
from rl_lab.worker.datasets.formats.own_marks import marks_of
from rl_lab.worker.datasets.formats.rows import Array
from rl_lab.worker.datasets.formats.step_parts import Report, StepParts
from rl_lab.worker.datasets.reading import OpenDataset

Getter = Callable[[int, int], Array]
OWN = "rl_lab"
UNPACKED_BYTES = 1 << 16
"""Smaller arrays are stored as they are."""
CHUNK_BYTES = 1 << 20


def write_hdf5(dataset: OpenDataset, path: Path, report: Report) -> None:
    try:
        import h5py
    except ModuleNotFoundError:
        raise NotReady(
            "HDF5 files need the package h5py.", cause="missing-package", next_step=how_to_install("datasets")
        ) from None
    parts = StepParts(dataset)
    columns = dict(d4rl_columns(parts))
    with h5py.File(path, "w") as file:
        file.attrs[OWN] = marks_of(dataset.manifest)
        for number, (name, get) in enumerate(columns.items()):
            target = _create(file, name.replace(".", "/"), get(0, 1), parts.steps)
            for start, end in parts.ranges():
                target[start:end] = get(start, end)
                report((number + end / parts.steps) / len(columns))


def write_npz(dataset: OpenDataset, path: Path, report: Report) -> None:
    parts = StepParts(dataset)
    columns = dict(d4rl_columns(parts))
    marks = np.frombuffer(marks_of(dataset.manifest).encode(), np.uint8)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1, allowZip64=True) as archive:
        for number, (name, get) in enumerate(columns.items()):
            with archive.open(f"{name}.npy", "w", force_zip64=True) as target:
                _write_header(target, get(0, 1), parts.steps)
                for start, end in parts.ranges():
                    target.write(np.ascontiguousarray(get(start, end)).tobytes())
                    report((number + end / parts.steps) / len(columns))
        with archive.open(f"{OWN}.npy", "w") as target:
            _write_header(target, marks, len(marks))
            target.write(marks.tobytes())


def d4rl_columns(parts: StepParts) -> Iterator[tuple[str, Getter]]:
    """Names as D4RL has them, and how to get some rows."""
    for name in parts.observations:
        yield name, lambda a, b, name=name: parts.before(name, a, b)  # type: ignore[misc]
    for name in parts.actions:
        yield name, lambda a, b, name=name: parts.step(name, a, b)  # type: ignore[misc]
    yield "rewards", parts.rewards
    yield "terminals", parts.terminated
    yield "timeouts", parts.truncated
    for name in parts.observations:
        after = "next_observations" + name.removeprefix(OBSERVATIONS)
        yield after, lambda a, b, name=name: parts.after(name, a, b)  # type: ignore[misc]
    for name in parts.infos:
        yield f"{INFOS}{name.removeprefix(INFOS)}", lambda a, b, name=name: parts.before(name, a, b)  # type: ignore[misc]
    yield "seed", parts.seeds
    if parts.has_who:
        yield WHO, lambda a, b: parts.step(WHO, a, b)


def _create(file: Any, name: str, example: Array, rows: int) -> Any:
    shape = (rows, *example.shape[1:])
    if rows * example[0].nbytes < UNPACKED_BYTES:
        return file.create_dataset(name, shape, example.dtype)
    chunk = (max(1, min(rows, CHUNK_BYTES // max(1, example[0].nbytes))), *example.shape[1:])
    return file.create_dataset(
        name, shape, example.dtype, chunks=chunk, compression="gzip", compression_opts=1, shuffle=True
    )


def _write_header(target: Any, example: Array, rows: int) -> None:
    header = {
        "descr": np.lib.format.dtype_to_descr(example.dtype),
        "fortran_order": False,
        "shape": (rows, *example.shape[1:]),
    }
    np.lib.format.write_array_header_1_0(target, header)
