"""Replay buffers of runs as datasets: environments lie next to each other in them, and a ring has an oldest row."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets.formats.buffers import open_buffer
from rl_lab.worker.datasets.intake.taking_in import ImportPlan, take_in
from rl_lab.worker.datasets.reading import OpenDataset, open_dataset

TORQUE = {"type": "Box", "shape": [1], "dtype": "float32", "low": -2.0, "high": 2.0}


def written(folder: Path, given: dict[str, Any], space: Any = None) -> OpenDataset:
    take_in(open_buffer(given, space), folder, ImportPlan("a run", run_id="r"), None, lambda _: None)
    return open_dataset(folder)


def segments(folder: Path, rows: int = 12, lanes: int = 2) -> tuple[list[dict[str, str]], dict[str, Any]]:
    """Two files of a buffer: the first environment ends once, the other is cut off by its time limit."""
    rng = np.random.default_rng(1)
    observations = rng.normal(size=(rows + 1, lanes, 3)).astype("f4")
    after = observations[1:].copy()
    after[5, 0] = after[7, 1] = 9.0
    marked = np.zeros((rows, lanes), "f4")
    columns = {
        "observations": observations[:-1],
        "next_observations": after,
        "actions": rng.uniform(-1, 1, (rows, lanes, 1)).astype("f4"),
        "rewards": rng.normal(size=(rows, lanes)).astype("f4"),
        "dones": marked.copy(),
        "timeouts": marked.copy(),
    }
    columns["dones"][5, 0] = columns["dones"][7, 1] = columns["timeouts"][7, 1] = 1
    found = []
    for number, part in enumerate((slice(0, 7), slice(7, rows))):
        path = folder / f"rows-{number}.npz"
        np.savez(path, **{name: column[part] for name, column in columns.items()})
        found.append({"path": str(path), "sha256": hashlib.sha256(path.read_bytes()).hexdigest()})
    return found, columns


def test_each_environment_of_a_buffer_gives_its_own_episodes(tmp_path: Path) -> None:
    files, columns = segments(tmp_path)
    dataset = written(tmp_path / "d", {"segments": files}, TORQUE)
    assert list(dataset.lengths) == [6, 6, 8, 4]
    assert list(np.flatnonzero(dataset.columns["terminations"])) == [5]
    np.testing.assert_array_equal(dataset.observations[6], [9, 9, 9])
    np.testing.assert_allclose(dataset.actions[:12], 2 * columns["actions"][:, 0], rtol=1e-6)
    assert dataset.manifest.sources[0].kind == "run"


def test_a_damaged_buffer_is_refused(tmp_path: Path) -> None:
    files, _ = segments(tmp_path)
    files[1]["sha256"] = "0" * 64
    with pytest.raises(InvalidInput, match=r"rows-1\.npz of the replay buffer is damaged"):
        written(tmp_path / "d", {"segments": files})


def test_the_ring_of_turbo_is_read_from_its_oldest_row(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    order = np.roll(np.arange(8), 3)
    seen = order[:, None, None].astype("f4")
    columns = {
        "observation": seen,
        "next": seen + 1,
        "action": (order % 2)[:, None].astype("i8"),
        "reward": 0.1 * order[:, None].astype("f4"),
        "terminated": (order == 4)[:, None],
        "ended": (order == 4)[:, None],
    }
    path = tmp_path / "turbo.safetensors"
    about = {"state": {"replay": {"head": 3, "filled": 8}}}
    save_file(
        {f"replay/columns/{n}": c for n, c in columns.items()}, path, metadata={"rl_lab": json.dumps(about)}
    )
    dataset = written(tmp_path / "d", {"checkpoint": str(path), "reward_scale": 0.1})
    assert list(dataset.lengths) == [5, 3]
    np.testing.assert_allclose(dataset.columns["rewards"], range(8), rtol=1e-5)
    np.testing.assert_array_equal(dataset.observations[:, 0], [0, 1, 2, 3, 4, 5, 5, 6, 7, 8])
