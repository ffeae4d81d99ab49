"""Which trainings can learn from which datasets: by environment and by kind of actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from rl_lab.core.datasets.datasets import Dataset, DatasetVersion
from rl_lab.core.datasets.manifest import DatasetManifest
from rl_lab.core.environments import Environment
from rl_lab.core.runners import AlgorithmSpec


def action_kind_of(space: dict[str, Any]) -> Literal["discrete", "continuous", "other"]:
    """The kind of actions of a space, as the manifest describes it."""
    kind = str(space.get("type") or space.get("kind") or "").lower()
    if kind == "discrete":
        return "discrete"
    return "continuous" if kind == "box" else "other"


def is_same_kind(dataset: Dataset, manifest: DatasetManifest) -> bool:
    """Whether it holds the same environment and spaces."""
    if not dataset.versions:
        return True
    newest = dataset.versions[0]
    is_same_env = not (newest.env_id and manifest.env_id) or newest.env_id == manifest.env_id
    spaces = (newest.observation_space, newest.action_space)
    return is_same_env and spaces == (manifest.observation_space, manifest.action_space)


def refuse_dataset(version: DatasetVersion, algorithm: AlgorithmSpec | None, env_id: str) -> str | None:
    """Why a training of this algorithm in this environment cannot learn from it, as a sentence; None if it can."""
    named = f"{version.name}@v{version.version}"
    if env_id and version.env_id and env_id != version.env_id:
        return f"The episodes of {named} were played in {version.env_id}, not in {env_id}."
    if algorithm is None:
        return None
    return algorithm.refuse_action_kind(action_kind_of(version.action_space), named)


def refuse_prefill(version: DatasetVersion, environment: Environment | None) -> str | None:
    """Why a replay buffer cannot begin with its steps, as a sentence; as far as the catalogue knows the environment."""
    named = f"{version.name}@v{version.version}"
    seen = version.observation_space
    if seen.get("type") == "Tuple" or any(_is_image_or_nested(part) for part in _parts(seen)):
        return (
            f"The observations of {named} are images or nested, which the learner sees in another form: its replay "
            "buffer cannot begin with them."
        )
    if environment is None or not environment.available or not environment.obs_space:
        return None
    has = space_text(seen), space_text(version.action_space)
    needs = environment.obs_space, environment.action_space
    if has == needs:
        return None
    return (
        f"{named} has observations {has[0]} and actions {has[1]}, but {environment.id} has observations {needs[0]} "
        f"and actions {needs[1]}."
    )


def space_text(space: dict[str, Any]) -> str:
    """A space of a manifest as the catalogue describes it: "DISCRETE(4)", "BOX(8)"."""
    names = {"MultiDiscrete": "MULTI DISCRETE", "MultiBinary": "MULTI BINARY"}
    kind = str(space.get("type"))
    return f"{names.get(kind, kind.upper())}({', '.join(map(str, _dims(space)))})"


def _dims(space: dict[str, Any]) -> list[int]:
    kind = space.get("type")
    if kind in ("Dict", "Tuple"):
        return [size for part in _parts(space) for size in _dims(part)]
    if kind == "Discrete":
        return [int(space["n"])]
    return _flat(space["nvec"]) if kind == "MultiDiscrete" else list(space.get("shape", []))


def _flat(nested: Any) -> list[int]:
    return [size for part in nested for size in _flat(part)] if isinstance(nested, list) else [int(nested)]


def _parts(space: dict[str, Any]) -> list[dict[str, Any]]:
    """Those of a dict or tuple; else the space itself."""
    found = space.get("spaces", [space])
    return list(found.values()) if isinstance(found, dict) else list(found)


def _is_image_or_nested(space: dict[str, Any]) -> bool:
    return space.get("type") in ("Dict", "Tuple") or len(space.get("shape", [])) > 2


def fitting(versions: Iterable[DatasetVersion], algorithm: AlgorithmSpec | None, env_id: str) -> list[str]:
    """The datasets that such a training could learn from, as they are written on the command line."""
    return [
        f"{one.name}@v{one.version}" for one in versions if refuse_dataset(one, algorithm, env_id) is None
    ]
