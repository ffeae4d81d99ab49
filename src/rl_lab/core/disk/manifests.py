"""The Manifest of a run lists all its files, grouped by use; stored next to the files as manifest.json."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.disk.retention import GROUPS, Group, Kept, Retention, is_counted

VIDEOS = frozenset({"video", "clip", "film"})


class ManifestEntry(BaseModel):
    id: str
    path: str
    """Relative to the run's folder; for an adopted run that was not copied, relative to its source folder."""
    kind: str
    title: str
    size: int
    sha256: str
    media_type: str
    created_at: datetime
    pinned: bool
    timestep: int | None
    role: str | None
    score: float | None
    url: str | None
    """Its address outside the lab."""


class Manifest(BaseModel):
    run_id: str
    name: str
    count: int
    bytes: int
    """Sum of the sizes below."""
    videos: list[ManifestEntry]
    """Videos, clips and films. All lists here are sorted newest first."""
    tensorboard: list[ManifestEntry]
    wandb_url: str | None
    models: list[ManifestEntry]
    checkpoints: list[ManifestEntry]
    files: list[ManifestEntry]
    """Everything else."""
    kept: dict[Group, Kept]


class ArtifactsChanged(BaseModel, frozen=True):
    """Published on `run:<id>:artifacts` when the list of a run's files changes."""

    run_id: str
    at: datetime
    count: int
    bytes: int


def build_manifest(
    run_id: str, name: str, artifacts: Sequence[Artifact], limits: Retention, removed: Mapping[str, int]
) -> Manifest:
    """`artifacts` must be sorted newest first; `removed` is the number of deleted files of each group."""
    entries = [_entry(a) for a in artifacts]
    named = {
        "videos": VIDEOS,
        "tensorboard": {"tensorboard"},
        "models": {"model"},
        "checkpoints": {"checkpoint"},
    }
    lists: dict[str, Any] = {key: [e for e in entries if e.kind in kinds] for key, kinds in named.items()}
    known = {"wandb"}.union(*named.values())
    return Manifest(
        run_id=run_id,
        name=name,
        count=len(entries),
        bytes=sum(e.size for e in entries),
        **lists,
        wandb_url=next((e.url for e in entries if e.kind == "wandb" and e.url), None),
        files=[e for e in entries if e.kind not in known],
        kept=count_kept(Counter(a.kind for a in artifacts if is_counted(a)), limits, removed),
    )


def count_kept(kinds: Mapping[str, int], limits: Retention, removed: Mapping[str, int]) -> dict[Group, Kept]:
    """Counts by group, from the number of counted artifacts of each kind and the number of deleted ones."""
    counts = {group: kinds.get(kind, 0) for group, kind in GROUPS.items()}
    return {
        group: Kept(kept=count, limit=getattr(limits, group), made=count + removed.get(group, 0))
        for group, count in counts.items()
    }


def _entry(artifact: Artifact) -> ManifestEntry:
    plain = artifact.model_dump(exclude={"run_id", "data"})
    return ManifestEntry(**plain, url=artifact.data.get("url"))
