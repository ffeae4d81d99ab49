"""A checkout in CORL's shape, and a small dataset of Pendulum for its scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sa

from rl_lab.core.datasets.manifest import DATASETS_FOLDER, DatasetManifest, ScoreReference
from rl_lab.worker.datasets.writing import DatasetWriter
from support.datasets import put_rows

IMITATION = Path(__file__).resolve().parents[1] / "scripts" / "corl"
BARE = IMITATION / "bare"
"""Hand-made stand-ins, for a script without the lab."""
OBSERVATIONS = {"type": "Box", "shape": [3], "dtype": "float32", "low": [-1, -1, -8], "high": [1, 1, 8]}
ACTIONS = {"type": "Box", "shape": [1], "dtype": "float32", "low": -2.0, "high": 2.0}
LENGTHS = (30, 20, 25)
REFERENCE = ScoreReference(low=-1500.0, high=-100.0, named="worst and best episode of this dataset")


def write_pendulum(folder: Path, **changes: Any) -> DatasetManifest:
    """Three episodes: the first one ends by itself, the second is cut off, the third only stops."""
    random = np.random.default_rng(3)
    steps = sum(LENGTHS)
    spaces = {"observation_space": OBSERVATIONS, "action_space": ACTIONS, "env_id": "Pendulum-v1"}
    with DatasetWriter(folder, **{**spaces, **changes}) as writer:
        is_discrete = writer.action_space["type"] == "Discrete"
        terminations, truncations = np.zeros(steps, bool), np.zeros(steps, bool)
        terminations[LENGTHS[0] - 1] = truncations[LENGTHS[0] + LENGTHS[1] - 1] = True
        columns = {
            "observations": random.normal(size=(steps + len(LENGTHS), 3)).astype("f4"),
            "actions": random.integers(2, size=steps)
            if is_discrete
            else random.uniform(-2, 2, (steps, 1)).astype("f4"),
            "rewards": -random.uniform(0, 10, steps),
            "terminations": terminations,
            "truncations": truncations,
        }
        writer.add_columns(columns, np.array(LENGTHS))
        return writer.finish(reference=REFERENCE)


def put_pendulum(home: Path, name: str = "pendulum", **changes: Any) -> DatasetManifest:
    """The same in a lab that has been opened before: its files and its rows."""
    manifest = write_pendulum(home / DATASETS_FOLDER / name / "v1", **changes)
    engine = sa.create_engine(f"sqlite:///{home / 'lab.db'}")
    with engine.begin() as conn:
        put_rows(conn, name, 1, manifest)
    engine.dispose()
    return manifest
