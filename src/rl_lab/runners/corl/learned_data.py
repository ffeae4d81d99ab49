"""LearnedData: the facts about a dataset that its script's arguments and the checks before a start depend on."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from rl_lab.core.datasets.manifest import DATASETS_FOLDER, MANIFEST_FILE, DatasetManifest
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.errors import InvalidInput, LabError, NotReady
from rl_lab.core.wrappers import read_wrappers

FIELD = "dataset"
_NONE = object()


class LearnedData(NamedTuple):
    folder: Path
    name: str
    env_id: str
    env_kwargs: dict[str, Any]
    observation_size: int
    action_size: int
    max_action: float
    transitions: int
    longest: int
    best_return: float
    median_return: float


def read_data(choice: DatasetChoice | None, home: Path) -> LearnedData:
    """Raises InvalidInput or NotReady, with the reason and the remedy, when a script cannot learn from it."""
    from rl_lab.worker.datasets.reading import open_dataset

    if choice is None:
        raise InvalidInput.of_field(
            FIELD,
            "Scripts of CORL learn from a dataset: name one (--dataset NAME); `rl-lab datasets` lists them.",
        )
    folder = _folder(choice, home)
    try:
        found = open_dataset(folder)
    except LabError as error:
        raise NotReady(
            f"The dataset {choice} cannot be used: {error.detail}",
            next_step=error.next_step
            or f"`rl-lab datasets check {choice}` compares its files with their checksums.",
        ) from None
    manifest = found.manifest
    max_action = _largest_action(str(choice), manifest.action_space)
    size = _vector(str(choice), manifest.observation_space)
    if not manifest.env_id:
        raise InvalidInput.of_field(
            FIELD,
            f"The dataset {choice} names no environment, and the script plays its evaluations in one. "
            "Import it again with its environment.",
        )
    _require_unwrapped(choice, manifest)
    returns = sorted(found.returns.tolist())
    return LearnedData(
        folder=folder,
        name=choice.name,
        env_id=manifest.env_id,
        env_kwargs=manifest.env_kwargs,
        observation_size=size,
        action_size=int(manifest.action_space["shape"][0]),
        max_action=max_action,
        transitions=manifest.transitions,
        longest=int(found.lengths.max()),
        best_return=returns[-1],
        median_return=returns[len(returns) // 2],
    )


def require_environment(data: LearnedData, env_kwargs: Mapping[str, Any]) -> None:
    """InvalidInput for arguments of the environment that the dataset's episodes were not played with."""
    other = sorted(name for name, value in env_kwargs.items() if data.env_kwargs.get(name, _NONE) != value)
    if other:
        raise InvalidInput.of_field(
            "env_kwargs",
            "Scripts of CORL play in the environment as the dataset has it, so it takes no other arguments: leave "
            f"out {', '.join(other)}.",
        )


def _require_unwrapped(choice: DatasetChoice, manifest: DatasetManifest) -> None:
    """The script makes the environment in its own Python, which does not have the lab's wrappers."""
    wrappers = [str(one.id) for one in read_wrappers(manifest.env_kwargs)]
    if wrappers:
        raise InvalidInput.of_field(
            FIELD,
            f"The episodes of {choice} were played with wrappers ({', '.join(wrappers)}), and a script of CORL plays "
            "its evaluations in the environment without them: it would see something else. The runner “offline” "
            "learns from this dataset.",
        )


def _folder(choice: DatasetChoice, home: Path) -> Path:
    """Of the version, the newest one when none is named."""
    all_versions = home / DATASETS_FOLDER / choice.name
    known = sorted(int(one.name[1:]) for one in all_versions.glob("v*") if one.name[1:].isdigit())
    wanted = choice.version or (known[-1] if known else None)
    if wanted is None or wanted not in known:
        same = _same_contents(choice.sha256, home)
        if same is not None:
            return same
        has = f"it has {', '.join(f'v{one}' for one in known)}" if known else "there is no such dataset"
        raise NotReady(
            f"The dataset {choice} is not here: {has}.",
            next_step="`rl-lab datasets` lists them; make, collect or import one.",
        )
    return all_versions / f"v{wanted}"


def _same_contents(sha256: str | None, home: Path) -> Path | None:
    """The version with these contents under another name: the dataset was renamed."""
    from rl_lab.worker.datasets.job_files import read_manifest

    for path in sorted((home / DATASETS_FOLDER).glob(f"*/v*/{MANIFEST_FILE}")) if sha256 else ():
        with suppress(LabError):
            if read_manifest(path.parent).sha256 == sha256:
                return path.parent
    return None


def _largest_action(name: str, space: dict[str, Any]) -> float:
    from rl_lab.worker.datasets.spaces import bounds

    if space.get("type") != "Box":
        raise InvalidInput.of_field(
            FIELD,
            f"Scripts of CORL need continuous actions, and those of {name} are of the kind {space.get('type')}. "
            "The runner “offline” learns from discrete ones (bc, cql, iql).",
        )
    if len(space["shape"]) != 1:
        raise InvalidInput.of_field(
            FIELD,
            f"Scripts of CORL need actions that are vectors; those of {name} have the shape {space['shape']}.",
        )
    low, high = bounds(space)
    if not (abs(float(high[0])) < 1e6 and abs(float(low[0])) < 1e6):
        raise InvalidInput.of_field(
            FIELD, f"Scripts of CORL scale actions to their largest one, and those of {name} have no bounds."
        )
    return float(high[0])


def _vector(name: str, space: dict[str, Any]) -> int:
    if space.get("type") != "Box" or len(space["shape"]) != 1:
        raise InvalidInput.of_field(
            FIELD,
            f"Scripts of CORL learn from vectors, and the observations of {name} are "
            f"{space.get('type')} {space.get('shape', '')}".rstrip()
            + ".",
        )
    return int(space["shape"][0])
