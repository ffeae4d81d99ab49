"""Small datasets, and files of other tools, made for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.worker.datasets.episode_arrays import EpisodeArrays
from rl_lab.worker.datasets.formats.recognise import open_source
from rl_lab.worker.datasets.intake.taking_in import ImportPlan, take_in
from rl_lab.worker.datasets.reading import OpenDataset, open_dataset
from rl_lab.worker.datasets.writing import DatasetWriter

NESTED = {
    "type": "Dict",
    "spaces": {
        "goal": {"type": "Box", "shape": [2], "dtype": "float32", "low": None, "high": None},
        "seen": {
            "type": "Tuple",
            "spaces": [
                {"type": "Discrete", "n": 5, "start": 0, "dtype": "int64"},
                {"type": "Box", "shape": [40, 32, 3], "dtype": "uint8", "low": 0, "high": 255},
            ],
        },
    },
}
PLAIN = {"type": "Box", "shape": [3], "dtype": "float32", "low": -4.0, "high": None}
TORQUE = {"type": "Box", "shape": [2], "dtype": "float32", "low": -1.0, "high": 1.0}
CHOICE = {"type": "Discrete", "n": 4, "start": 0, "dtype": "int64"}


def make_dataset(
    folder: Path, *, nested: bool = False, infos: bool = False, lengths: tuple[int, ...] = (3, 1, 5)
) -> OpenDataset:
    """Episodes with random numbers; the first and every second one terminated, seeds known but for the last."""
    rng = np.random.default_rng(7)
    kinds = {"speed": ("<f8", ()), "place": ("<f4", (2,))} if infos else {}
    with DatasetWriter(
        folder,
        observation_space=NESTED if nested else PLAIN,
        action_space=CHOICE if nested else TORQUE,
        env_id="Made/Up-v0",
        env_kwargs={"wind": 2},
        infos=kinds,
        who=True,
        source="made for a test",
        licence="MIT",
    ) as writer:
        for number, length in enumerate(lengths):
            ends = np.arange(length) == length - 1
            episode = EpisodeArrays(
                observations=_observations(rng, length + 1, nested),
                actions=rng.integers(0, 4, length)
                if nested
                else rng.uniform(-1, 1, (length, 2)).astype("f4"),
                rewards=rng.normal(size=length),
                terminations=ends & (number % 2 == 0),
                truncations=ends & (number % 2 == 1),
                infos={key: rng.normal(size=(length + 1, *shape)) for key, (_, shape) in kinds.items()},
                who=rng.integers(0, 2, length).astype("u1"),
            )
            writer.add_episode(
                episode, seed=-1 if number == len(lengths) - 1 else 100 + number, number=number
            )
        writer.finish()
    return open_dataset(folder)


def make_cards(folder: Path) -> OpenDataset:
    """Two episodes whose observations and actions are tuples, as in Blackjack."""
    rng, lengths = np.random.default_rng(5), (2, 3)
    tuples = {"observation_space": {"type": "Tuple", "spaces": [CHOICE, TORQUE]}, "env_id": "Cards-v0"}
    with DatasetWriter(
        folder, action_space={"type": "Tuple", "spaces": [CHOICE, CHOICE]}, **tuples
    ) as writer:
        for number, length in enumerate(lengths):
            ends = np.arange(length) == length - 1
            episode = EpisodeArrays(
                observations=(
                    rng.integers(0, 4, length + 1),
                    rng.uniform(-1, 1, (length + 1, 2)).astype("f4"),
                ),
                actions=(rng.integers(0, 4, length), rng.integers(0, 4, length)),
                rewards=rng.normal(size=length),
                terminations=ends,
                truncations=np.zeros(length, bool),
            )
            writer.add_episode(episode, seed=number, number=number)
        writer.finish()
    return open_dataset(folder)


def _observations(rng: Any, rows: int, nested: bool) -> Any:
    if not nested:
        return rng.normal(size=(rows, 3)).astype("f4")
    pictures = rng.integers(0, 256, (rows, 40, 32, 3), np.uint8)
    return {"goal": rng.normal(size=(rows, 2)).astype("f4"), "seen": (rng.integers(0, 5, rows), pictures)}


def take(path: Path, folder: Path, **plan: Any) -> OpenDataset:
    """Imports what is at a path."""
    take_in(open_source(path), folder, ImportPlan(label=path.name, **plan), None, lambda _: None)
    return open_dataset(folder)


def d4rl_arrays(steps: int = 20) -> dict[str, Any]:
    """Two episodes: the first terminated at half, the other cut off by its time limit."""
    rng = np.random.default_rng(3)
    rows = np.arange(steps)
    return {
        "observations": rng.normal(size=(steps, 3)).astype("f4"),
        "actions": rng.uniform(-1, 1, (steps, 2)).astype("f4"),
        "rewards": rows.astype("f4"),
        "terminals": rows == steps // 2 - 1,
        "timeouts": rows == steps - 1,
    }
