"""What the lab writes about a dataset into its own exports, so that nothing is lost when they are imported again."""

from __future__ import annotations

import json
from typing import Any

from rl_lab.core.datasets.manifest import ACTIONS, OBSERVATIONS, DatasetManifest, ScoreReference
from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets.formats.source import OpenSource, kind_of
from rl_lab.worker.datasets.spaces import SpaceJson, leaves

MAX_BYTES = 16 << 20


def marks_of(manifest: DatasetManifest) -> str:
    return json.dumps(
        {
            "env_id": manifest.env_id,
            "env_kwargs": manifest.env_kwargs,
            "observation_space": manifest.observation_space,
            "action_space": manifest.action_space,
            "source": manifest.source,
            "licence": manifest.licence,
            "reference": manifest.reference.model_dump() if manifest.reference else None,
        }
    )


def describe(source: OpenSource, marks: Any) -> None:
    """Completes what is known of a file by what the lab wrote into it; does nothing for other files.

    The file may come from anybody: what does not fit its arrays is left out.
    """
    given = _read(marks)
    if given is None:
        return
    observation, action = given.get("observation_space"), given.get("action_space")
    if fits(observation, source.observations, OBSERVATIONS) and fits(action, source.actions, ACTIONS):
        source.observation_space, source.action_space = observation, action
    if isinstance(given.get("env_id"), str) and isinstance(given.get("env_kwargs"), dict):
        source.env_id, source.env_kwargs = given["env_id"][:200], given["env_kwargs"]
    source.source, source.licence = str(given.get("source", ""))[:2000], str(given.get("licence", ""))[:200]
    if isinstance(given.get("reference"), dict):
        try:
            source.reference = ScoreReference.model_validate(given["reference"])
        except ValueError:
            source.reference = None


def fits(space: Any, columns: dict[str, Any], name: str) -> bool:
    """Whether a space describes exactly these columns."""
    if not isinstance(space, dict):
        return False
    try:
        found = {leaf.name: kind_of(leaf.dtype, leaf.shape) for leaf in leaves(_plain(space), name)}
    except (InvalidInput, RecursionError):
        return False
    return found == columns


def _plain(space: SpaceJson) -> SpaceJson:
    if not isinstance(space.get("type"), str):
        raise InvalidInput("A space has no type.")
    return space


def _read(marks: Any) -> dict[str, Any] | None:
    if not isinstance(marks, str | bytes) or not marks or len(marks) > MAX_BYTES:
        return None
    try:
        given = json.loads(marks)
    except (ValueError, RecursionError):
        return None
    return given if isinstance(given, dict) else None
