"""Imports of large files with little memory, and of files with very many or very short episodes."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from bench.figures import Figure, at_most
from rl_lab.worker.datasets.exports import export
from rl_lab.worker.datasets.reading import open_dataset

FILE_BYTES = 5_000_000_000
MEMORY_BYTES = 1 << 30
OBSERVATION = 56
STEPS = FILE_BYTES // (4 * (OBSERVATION + 8))
PART = 1_000_000
TINY_EPISODES = 1_000_000
MINARI_EPISODES = 20_000

IMPORT = """
import json, resource, sys, time
from pathlib import Path
resource.setrlimit(resource.RLIMIT_DATA, (int(sys.argv[3]),) * 2)
from rl_lab.worker.datasets.formats.recognise import main_file, open_source
from rl_lab.worker.datasets.intake.checksums import Checksum
from rl_lab.worker.datasets.intake.taking_in import ImportPlan, take_in
begun, path = time.perf_counter(), Path(sys.argv[1])
with Checksum(main_file(path)) as checksum:
    made = take_in(open_source(path), Path(sys.argv[2]), ImportPlan(path.name), checksum, lambda _: None)
print(json.dumps({
    "seconds": time.perf_counter() - begun,
    "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000,
    "episodes": made.episodes,
}))
"""


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        large = take(_large(place / "large.hdf5"), place / "large")
        (place / "large.hdf5").unlink()
        tiny = take(_tiny(place / "tiny.npz"), place / "tiny")
        many = take(_minari(place), place / "many")
    gb = FILE_BYTES / 1e9
    return [
        at_most(
            f"import of {gb:.0f} GB of HDF5 with 1 GiB of memory: most that was used",
            large["mb"],
            1000,
            " MB",
        ),
        at_most("the same: time with its checksums", large["seconds"], 180, " s"),
        at_most(f"import of {TINY_EPISODES:,} episodes of 3 steps (NPZ)", tiny["seconds"], 5, " s"),
        at_most(f"import of {MINARI_EPISODES:,} episodes of Minari", many["seconds"], 60, " s"),
    ]


def take(path: Path, folder: Path, memory_bytes: int = MEMORY_BYTES) -> dict[str, Any]:
    """Imports a file in a process of its own that may not have more memory."""
    command = [sys.executable, "-c", IMPORT, str(path), str(folder), str(memory_bytes)]
    found: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return found


def _large(path: Path) -> Path:
    rng = np.random.default_rng(0)
    with h5py.File(path, "w") as file:
        kinds = {"observations": (OBSERVATION,), "actions": (6,), "rewards": (), "timeouts": ()}
        arrays = {name: file.create_dataset(name, (STEPS, *shape), "f4") for name, shape in kinds.items()}
        for start in range(0, STEPS, PART):
            rows = np.arange(start, min(STEPS, start + PART))
            seen = rng.random((len(rows), OBSERVATION), np.float32)
            arrays["observations"][start : start + PART] = seen
            arrays["actions"][start : start + PART] = seen[:, :6]
            arrays["rewards"][start : start + PART] = seen[:, 0]
            arrays["timeouts"][start : start + PART] = rows % 1000 == 999
    return path


def _tiny(path: Path) -> Path:
    rows = np.arange(3 * TINY_EPISODES)
    seen = np.random.default_rng(0).random((len(rows), 4), np.float32)
    np.savez(path, observations=seen, actions=rows % 2, rewards=seen[:, 0], terminals=rows % 3 == 2)
    return path


def _minari(folder: Path) -> Path:
    """Written by the lab's own export from a part of the episodes before."""
    arrays = dict(np.load(folder / "tiny.npz"))
    small = folder / "small.npz"
    np.savez(small, **{name: values[: 3 * MINARI_EPISODES] for name, values in arrays.items()})
    take(small, folder / "small")
    return export(open_dataset(folder / "small"), "minari", folder / "many-v1", lambda _: None)


if __name__ == "__main__":
    for figure in figures():
        print(figure)
