"""A dataset in the layout of Minari 0.5.4: HDF5 with one group per episode, pictures without loss, seeds kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import ACTIONS, INFOS, OBSERVATIONS, REWARDS, WHO, DatasetManifest
from rl_lab.core.errors import NotReady
from rl_lab.core.extras import how_to_install
from rl_lab.worker.datasets.formats.minari import MAIN_FILE, METADATA, OWN
from rl_lab.worker.datasets.formats.minari_spaces import write_space
from rl_lab.worker.datasets.formats.own_marks import marks_of
from rl_lab.worker.datasets.formats.step_parts import Report
from rl_lab.worker.datasets.reading import OpenDataset
from rl_lab.worker.datasets.spaces import SpaceJson, Tree

VERSION = "0.5.4"
LARGE_BYTES = 1 << 20
"""Arrays of this size are packed."""
REPORT_EVERY = 100


def minari_id(name: str, version: int) -> str:
    return f"{re.sub(r'[^A-Za-z0-9_-]', '-', name)}-v{version}"


def write_minari(dataset: OpenDataset, folder: Path, dataset_id: str, report: Report) -> None:
    """Into `folder`/data; the folder has the name of the id."""
    try:
        import h5py
    except ModuleNotFoundError:
        raise NotReady(
            "Datasets of Minari need the package h5py.",
            cause="missing-package",
            next_step=how_to_install("datasets"),
        ) from None
    data = folder / "data"
    data.mkdir(parents=True)
    with h5py.File(data / MAIN_FILE, "w", track_order=True) as file:
        for index in range(len(dataset)):
            _write_episode(file.create_group(f"episode_{index}"), dataset, index)
            if index % REPORT_EVERY == 0:
                report(index / len(dataset))
    size = (data / MAIN_FILE).stat().st_size
    (data / METADATA).write_text(json.dumps(_metadata(dataset.manifest, dataset_id, size)))


def _write_episode(group: Any, dataset: OpenDataset, index: int) -> None:
    group.attrs["id"] = index
    group.attrs["total_steps"] = int(dataset.lengths[index])
    if dataset.seeds[index] >= 0:
        group.attrs["seed"] = int(dataset.seeds[index])
    episode, manifest = dataset.episode(index), dataset.manifest
    terminations = episode.terminations.astype(bool)
    truncations = episode.truncations.astype(bool)
    if not terminations[-1]:
        truncations[-1] = True
    arrays = dict(_arrays(manifest.observation_space, episode.observations, OBSERVATIONS))
    arrays |= _arrays(manifest.action_space, episode.actions, ACTIONS)
    arrays |= {REWARDS: episode.rewards, "terminations": terminations, "truncations": truncations}
    arrays |= {f"{INFOS}/{key.replace('.', '/')}": rows for key, rows in episode.infos.items()}
    if episode.who is not None:
        arrays[WHO] = episode.who
    for name, values in arrays.items():
        packed = {"chunks": True, "compression": "gzip", "compression_opts": 1, "shuffle": True}
        group.create_dataset(name, data=values, **(packed if values.nbytes >= LARGE_BYTES else {}))


def _arrays(space: SpaceJson, tree: Tree, path: str) -> Iterator[tuple[str, np.ndarray]]:
    if space["type"] == "Dict":
        for key, part in space["spaces"].items():
            yield from _arrays(part, tree[key], f"{path}/{key}")
    elif space["type"] == "Tuple":
        for number, part in enumerate(space["spaces"]):
            yield from _arrays(part, tree[number], f"{path}/_index_{number}")
    else:
        yield path, tree


def _metadata(manifest: DatasetManifest, dataset_id: str, size: int) -> dict[str, Any]:
    found: dict[str, Any] = {
        "dataset_id": dataset_id,
        "minari_version": VERSION,
        "data_format": "hdf5",
        "jpeg_encoding": False,
        "total_episodes": manifest.episodes,
        "total_steps": manifest.transitions,
        "observation_space": json.dumps(write_space(manifest.observation_space)),
        "action_space": json.dumps(write_space(manifest.action_space)),
        "algorithm_name": ", ".join(dict.fromkeys(source.label for source in manifest.sources))[:1000],
        "author": ["RL Lab"],
        "description": manifest.source,
        "dataset_size": round(size / 1e6, 1),
        "requirements": [manifest.env_version] if manifest.env_version else [],
        OWN: marks_of(manifest),
    }
    if manifest.licence:
        found["license"] = manifest.licence
    if manifest.reference is not None:
        found |= {"ref_min_score": manifest.reference.low, "ref_max_score": manifest.reference.high}
    spec = _env_spec(manifest)
    return found if spec is None else {**found, "env_spec": spec}


def _env_spec(manifest: DatasetManifest) -> str | None:
    """As Gymnasium has it registered, with the dataset's own arguments; None without an environment."""
    from gymnasium import spec
    from gymnasium.envs.registration import EnvSpec
    from gymnasium.error import Error

    if not manifest.env_id:
        return None
    try:
        found = spec(manifest.env_id)
    except (Error, ModuleNotFoundError):
        try:
            found = EnvSpec(manifest.env_id)
        except Error:
            return None
    found = EnvSpec.from_json(found.to_json())
    found.kwargs = {**found.kwargs, **manifest.env_kwargs}
    return str(found.to_json())
