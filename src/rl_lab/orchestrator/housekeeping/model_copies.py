"""Disk space of named models: the copies of their versions, `models/<name>/v<n>/` of the home folder."""

from __future__ import annotations

from pathlib import Path

from rl_lab.core.disk.usage import ModelDiskUsage
from rl_lab.core.models.models import MODELS_FOLDER
from rl_lab.store.files.folder_trees import tree_bytes


def measure_models(home: Path) -> list[ModelDiskUsage]:
    """Largest first; a copy that is being made is not listed yet. Blocks; call it on a thread."""
    try:
        folders = [one for one in (home / MODELS_FOLDER).iterdir() if not one.name.startswith(".")]
    except OSError:
        return []
    found = [
        ModelDiskUsage(name=one.name, bytes=tree_bytes(one), versions=sum(1 for _ in one.glob("v*")))
        for one in folders
    ]
    return sorted(found, key=lambda model: (-model.bytes, model.name))
