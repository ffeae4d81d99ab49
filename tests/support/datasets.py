"""A small dataset: its files and its rows, as the lab writes them."""

from __future__ import annotations

import hashlib
import io
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sa

from rl_lab.core.datasets.manifest import (
    ACTIONS,
    EPISODE_ENDS,
    EPISODE_NUMBERS,
    EPISODE_SEEDS,
    EPISODE_SOURCES,
    MANIFEST_FILE,
    OBSERVATIONS,
    REWARDS,
    TERMINATIONS,
    TRUNCATIONS,
    DatasetColumn,
    DatasetManifest,
    ScoreReference,
)
from rl_lab.store.sql.tables import dataset_versions, datasets

Arrays = dict[str, np.ndarray[Any, Any]]
CARTPOLE: dict[str, Any] = {
    "env_id": "CartPole-v1",
    "observation_space": {
        "type": "Box",
        "low": [-4.8, -3.4e38, -0.42, -3.4e38],
        "high": [4.8, 3.4e38, 0.42, 3.4e38],
        "shape": [4],
        "dtype": "float32",
    },
    "action_space": {"type": "Discrete", "n": 2, "start": 0},
}
PENDULUM: dict[str, Any] = {
    "env_id": "Pendulum-v1",
    "observation_space": {
        "type": "Box",
        "low": [-1.0, -1.0, -8.0],
        "high": [1.0, 1.0, 8.0],
        "shape": [3],
        "dtype": "float32",
    },
    "action_space": {"type": "Box", "low": [-2.0], "high": [2.0], "shape": [1], "dtype": "float32"},
}
REFERENCE = ScoreReference(low=0.0, high=50.0, named="worst and best episode of this dataset")


def sample(about: dict[str, Any], episodes: int = 4, steps: int = 20) -> Arrays:
    """Random episodes of these spaces; each but the last one ends by itself."""
    random = np.random.default_rng(0)
    count = episodes * steps
    size = about["observation_space"]["shape"][0]
    space = about["action_space"]
    actions = (
        random.integers(space["n"], size=count)
        if space["type"] == "Discrete"
        else random.uniform(-1, 1, (count, *space["shape"])).astype(np.float32)
    )
    ends = np.arange(1, episodes + 1, dtype=np.int64) * steps
    terminations, truncations = np.zeros(count, bool), np.zeros(count, bool)
    terminations[ends[:-1] - 1] = True
    truncations[-1] = True
    return {
        OBSERVATIONS: random.normal(size=(count + episodes, size)).astype(np.float32),
        ACTIONS: actions,
        REWARDS: np.ones(count, np.float64),
        TERMINATIONS: terminations,
        TRUNCATIONS: truncations,
        EPISODE_ENDS: ends,
        EPISODE_SEEDS: np.arange(episodes, dtype=np.int64),
        EPISODE_SOURCES: np.zeros(episodes, np.int32),
        EPISODE_NUMBERS: np.arange(episodes, dtype=np.int64),
    }


def write_version(folder: Path, about: dict[str, Any], arrays: Arrays) -> DatasetManifest:
    """The folder of a version."""
    folder.mkdir(parents=True)
    columns = []
    for name, array in arrays.items():
        data = io.BytesIO()
        np.save(data, array, allow_pickle=False)
        (folder / f"{name}.npy").write_bytes(data.getvalue())
        columns.append(
            DatasetColumn(
                name=name,
                dtype=str(array.dtype),
                shape=list(array.shape),
                size=len(data.getvalue()),
                sha256=hashlib.sha256(data.getvalue()).hexdigest(),
            )
        )
    manifest = DatasetManifest(
        **about,
        episodes=len(arrays[EPISODE_ENDS]),
        transitions=len(arrays[REWARDS]),
        columns=columns,
        reference=REFERENCE,
    )
    (folder / MANIFEST_FILE).write_text(manifest.model_dump_json())
    return manifest


def put_rows(conn: sa.Connection, name: str, version: int, manifest: DatasetManifest) -> None:
    """The rows of a version, and of its dataset with the first one."""
    now = datetime.now(UTC)
    if version == 1:
        row = {"name": name, "note": "", "keep": None, "created_at": now, "updated_at": now}
        conn.execute(sa.insert(datasets), row)
    conn.execute(
        sa.insert(dataset_versions),
        {
            "dataset": name,
            "version": version,
            "sha256": manifest.sha256,
            "env_id": manifest.env_id,
            "episodes": manifest.episodes,
            "transitions": manifest.transitions,
            "size": manifest.size,
            "pinned": False,
            "licence": manifest.licence,
            "source": manifest.source,
            "manifest": manifest.model_dump(mode="json"),
            "integrity": {"integrity": "intact"},
            "created_at": now,
        },
    )
