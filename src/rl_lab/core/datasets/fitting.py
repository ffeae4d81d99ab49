"""Which trainings can learn from which datasets: by environment and by kind of actions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from rl_lab.core.datasets.datasets import DatasetVersion
from rl_lab.core.runners import AlgorithmSpec


def action_kind_of(space: dict[str, Any]) -> Literal["discrete", "continuous", "other"]:
    """The kind of actions of a space, as the manifest describes it."""
    kind = str(space.get("type") or space.get("kind") or "").lower()
    if kind == "discrete":
        return "discrete"
    return "continuous" if kind == "box" else "other"


def refuse_dataset(version: DatasetVersion, algorithm: AlgorithmSpec | None, env_id: str) -> str | None:
    """Why a training of this algorithm in this environment cannot learn from it, as a sentence; None if it can."""
    named = f"{version.name}@v{version.version}"
    if env_id and version.env_id and env_id != version.env_id:
        return f"The episodes of {named} were played in {version.env_id}, not in {env_id}."
    if algorithm is None:
        return None
    return algorithm.refuse_action_kind(action_kind_of(version.action_space), named)


def fitting(versions: Iterable[DatasetVersion], algorithm: AlgorithmSpec | None, env_id: str) -> list[str]:
    """The datasets that such a training could learn from, as they are written on the command line."""
    return [
        f"{one.name}@v{one.version}" for one in versions if refuse_dataset(one, algorithm, env_id) is None
    ]
