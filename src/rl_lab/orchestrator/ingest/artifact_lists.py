"""An `artifacts` line lists all files of a run at once; here it becomes one artifact per file. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from rl_lab.core.protocol.events import ArtifactEvent, ArtifactsEvent


def listed_files(event: ArtifactsEvent, folders: Sequence[str]) -> list[ArtifactEvent]:
    """Paths inside one of `folders` become relative to it; others stay as they are, for the caller to check."""
    found = [ArtifactEvent(path=path, kind=kind, t=event.t) for kind, path in _paths(event, folders)]
    if event.wandb_url:
        found.append(
            ArtifactEvent(path="wandb", kind="wandb", url=event.wandb_url, title="W&B page", t=event.t)
        )
    return found


def _paths(event: ArtifactsEvent, folders: Sequence[str]) -> Iterator[tuple[str, str]]:
    for kind, given in (("video", event.video), ("tensorboard", event.tensorboard)):
        for path in [given] if isinstance(given, str) else given or []:
            yield kind, _relative(path, folders)


def _relative(path: str, folders: Sequence[str]) -> str:
    for folder in folders:
        if path.startswith("/") and PurePosixPath(path).is_relative_to(folder):
            return str(PurePosixPath(path).relative_to(folder))
    return path.rstrip("/") or path
