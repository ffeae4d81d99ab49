"""The checkpoints of a job, kept for it: a training that goes on may replace its best one before the job loads it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rl_lab.portable.atomic_files import link_or_copy
from rl_lab.store.files.folder_trees import remove_tree
from rl_lab.store.files.folders import RunFolder
from rl_lab.worker.checkpoint_files import changed

FOLDER = "inputs"
"""In the job's folder; a confined job may not write to it, because the links are the training's own files."""


def link_checkpoints(folder: RunFolder, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs with policies whose files are the job's; Gone when one is not what was recorded."""
    linked, place = dict(inputs), folder.path / FOLDER
    if linked.get("policy"):
        linked["policy"] = _link(place / "0", linked["policy"])
    if linked.get("policies"):
        linked["policies"] = [
            _link(place / str(number), one) for number, one in enumerate(linked["policies"])
        ]
    return linked


def link_policy(place: Path, policy: Mapping[str, Any]) -> dict[str, Any]:
    """One more for a process that runs, in a folder named by its contents: none that is being read is replaced."""
    return _link(place / str(policy["sha256"])[:16], policy)


def unlink_checkpoints(folder: RunFolder) -> None:
    """When the job has ended."""
    remove_tree(folder.path / FOLDER)


def _link(place: Path, policy: Mapping[str, Any]) -> dict[str, Any]:
    source = Path(policy["checkpoint"])
    target = place / source.name
    place.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    try:
        link_or_copy(source, target)
        # Of a link or a pipe that a worker put there, nothing is read.
        fd = os.open(target, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        raise changed(source.name) from None
    with os.fdopen(fd, "rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != policy["sha256"]:
            raise changed(source.name)
    return {**policy, "checkpoint": str(target)}
