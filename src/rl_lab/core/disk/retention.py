"""Retention: how much of what runs make is kept; the janitor holds the lab to it. The rules are here, pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.disk.artifacts import Artifact

Group = Literal["videos", "checkpoints", "tensorboard"]
GROUPS: dict[Group, str] = {"videos": "video", "checkpoints": "checkpoint", "tensorboard": "tensorboard"}
"""What is pruned, by knob, and the kind of artifact it is; in the order in which it makes room."""
NOUNS: dict[Group, str] = {
    "videos": "video",
    "checkpoints": "checkpoint",
    "tensorboard": "TensorBoard folder",
}
OWN_VIDEO = "video.mp4"
"""The film of what a training learned; it stays with the model, like the final checkpoint."""


class Retention(BaseModel):
    """Knobs, all per run but the last. Pinned, best and latest files always stay."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    videos: int = Field(default=3, ge=1, le=1000, description="Videos kept per run.")
    checkpoints: int = Field(default=5, ge=1, le=1000, description="Interval checkpoints kept per run.")
    tensorboard: int = Field(default=10, ge=1, le=1000, description="TensorBoard folders kept per run.")
    lab_bytes: int = Field(
        default=0, ge=0, le=1 << 60, description="Bytes all runs together may take; 0 = no limit."
    )


class RetentionChange(BaseModel):
    """Knobs to turn; one that is absent stays, null goes back to its default."""

    model_config = ConfigDict(extra="forbid")

    videos: int | None = Field(default=None, ge=1, le=1000)
    checkpoints: int | None = Field(default=None, ge=1, le=1000)
    tensorboard: int | None = Field(default=None, ge=1, le=1000)
    lab_bytes: int | None = Field(default=None, ge=0, le=1 << 60)


class RetentionState(BaseModel):
    value: Retention
    """What the lab is held to now."""
    default: Retention
    """As the settings say."""


class Kept(BaseModel, frozen=True):
    """How many of a kind a run has: "2/5 videos kept" is `kept`/`made`."""

    kept: int = 0
    limit: int
    """The knob. Pinned, best and latest ones stay beyond it."""
    made: int = 0
    """All that were ever made, also those that are pruned or deleted."""


def group_of(artifact: Artifact) -> Group | None:
    return next((group for group, kind in GROUPS.items() if kind == artifact.kind), None)


def surplus(artifacts: Iterable[Artifact], knobs: Retention) -> list[Artifact]:
    """What of one run goes, oldest first: beyond the newest few of each group, never what must stay."""
    found = list(artifacts)
    staying = must_stay(found)
    gone: list[Artifact] = []
    for group, members in _by_group(found).items():
        limit: int = getattr(knobs, group)
        governed = [a for a in members if not _is_apart(a)]
        gone += [a for a in governed[limit:] if a.id not in staying]
        gone += [a for a in members if _is_apart(a) and a.id not in staying]
    return sorted(gone, key=_age)


def expendable(artifacts: Iterable[Artifact]) -> list[Artifact]:
    """What of one run may go when the whole lab takes too much, in the order in which it makes room."""
    found = list(artifacts)
    staying = must_stay(found)
    order = list(GROUPS.values())
    free = [a for a in found if a.kind in order and a.id not in staying]
    return sorted(free, key=lambda a: (order.index(a.kind), _age(a)))


def must_stay(artifacts: Sequence[Artifact]) -> set[str]:
    """Ids of the pinned, the best and the latest: newest video and folder, newest, best and final checkpoint."""
    staying = {a.id for a in artifacts if a.pinned or a.path == OWN_VIDEO}
    for members in _by_group(artifacts).values():
        staying.add(members[0].id)
        for roles in (("best",), ("final", "stop")):
            staying |= {a.id for a in [a for a in members if a.role in roles][:1]}
    return staying


def _by_group(artifacts: Iterable[Artifact]) -> dict[Group, list[Artifact]]:
    """Newest first: checkpoints by training, the rest by time."""
    groups: dict[Group, list[Artifact]] = {}
    for artifact in sorted(artifacts, key=_age, reverse=True):
        group = group_of(artifact)
        if group is not None:
            groups.setdefault(group, []).append(artifact)
    return groups


def _is_apart(artifact: Artifact) -> bool:
    """Best and final checkpoints and the training's own film are kept beside the number a knob names."""
    return artifact.role in ("best", "final", "stop") or artifact.path == OWN_VIDEO


def _age(artifact: Artifact) -> tuple[int, float]:
    return (artifact.timestep or 0) if artifact.kind == "checkpoint" else 0, artifact.created_at.timestamp()
