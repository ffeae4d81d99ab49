"""Retention: which files of runs are kept. Pure rules; the janitor deletes according to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.disk.artifacts import Artifact

Group = Literal["videos", "checkpoints", "tensorboard"]
GROUPS: dict[Group, str] = {"videos": "video", "checkpoints": "checkpoint", "tensorboard": "tensorboard"}
"""The groups that are pruned and their kind of artifact, in the order in which they are deleted."""
NOUNS: dict[Group, str] = {
    "videos": "video",
    "checkpoints": "checkpoint",
    "tensorboard": "TensorBoard folder",
}
MIN_LOG_BYTES, MAX_DAYS, MAX_RUNS = 1 << 16, 36_500, 1_000_000
OWN_VIDEO = "video.mp4"
"""The video made after training; it is kept with the model, like the final checkpoint."""
UNCOUNTED_ROLES = ("best", "final", "stop")
"""Of checkpoints."""


class Retention(BaseModel):
    """Limits: files and logs per run, bytes of the lab, and when runs are archived by themselves.

    Pinned, best and latest files are always kept; a run with a pinned file is not archived by itself.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    videos: int = Field(default=3, ge=1, le=1000, description="Videos kept per run.")
    checkpoints: int = Field(default=10, ge=1, le=1000, description="Interval checkpoints kept per run.")
    tensorboard: int = Field(default=10, ge=1, le=1000, description="TensorBoard folders kept per run.")
    lab_bytes: int = Field(
        default=0,
        ge=0,
        le=1 << 60,
        description="Maximum bytes of all runs, named models and datasets together; 0 = no limit.",
    )
    log_bytes: int = Field(
        default=20 << 20,
        ge=MIN_LOG_BYTES,
        le=1 << 40,
        description="Maximum bytes of a run's logs; the end is kept.",
    )
    archive_after_days: int = Field(
        default=0, ge=0, le=MAX_DAYS, description="Archive runs this many days after their end; 0 = never."
    )
    runs_per_algorithm: int = Field(
        default=0,
        ge=0,
        le=MAX_RUNS,
        description="Trainings per algorithm; beyond it, the oldest ended ones are archived; 0 = no limit.",
    )


class RetentionChange(BaseModel):
    """Limits to change; an absent one is not changed, null resets it to its default."""

    model_config = ConfigDict(extra="forbid")

    videos: int | None = Field(default=None, ge=1, le=1000)
    checkpoints: int | None = Field(default=None, ge=1, le=1000)
    tensorboard: int | None = Field(default=None, ge=1, le=1000)
    lab_bytes: int | None = Field(default=None, ge=0, le=1 << 60)
    log_bytes: int | None = Field(default=None, ge=MIN_LOG_BYTES, le=1 << 40)
    archive_after_days: int | None = Field(default=None, ge=0, le=MAX_DAYS)
    runs_per_algorithm: int | None = Field(default=None, ge=0, le=MAX_RUNS)


class RetentionState(BaseModel):
    value: Retention
    """The limits in effect."""
    default: Retention
    """The limits from the settings."""


class Kept(BaseModel, frozen=True):
    """How many of a kind a run has: "2/5 videos kept" is `kept`/`made`. Only files that count for the limit."""

    kept: int = 0
    limit: int
    """The limit. Pinned files, best and final checkpoints and the training's own video are kept in addition."""
    made: int = 0
    """All that were ever made, including pruned and deleted ones."""


def group_of(artifact: Artifact) -> Group | None:
    return next((group for group, kind in GROUPS.items() if kind == artifact.kind), None)


def is_counted(artifact: Artifact) -> bool:
    """Best and final checkpoints and the training's own video do not count, neither for the limit nor in messages."""
    return artifact.role not in UNCOUNTED_ROLES and artifact.path != OWN_VIDEO


def surplus(artifacts: Iterable[Artifact], limits: Retention) -> list[Artifact]:
    """The files of one run to delete, oldest first: all beyond the limit of each group, except those that must stay."""
    found = list(artifacts)
    staying = must_stay(found)
    gone: list[Artifact] = []
    for group, members in _by_group(found).items():
        limit: int = getattr(limits, group)
        counted = [a for a in members if is_counted(a)]
        gone += [a for a in counted[limit:] if a.id not in staying]
        gone += [a for a in members if not is_counted(a) and a.id not in staying]
    return sorted(gone, key=_age)


def expendable(artifacts: Iterable[Artifact]) -> list[Artifact]:
    """The files of one run that may be deleted when the lab exceeds its disk limit, in the order of deletion."""
    found = list(artifacts)
    staying = must_stay(found)
    order = list(GROUPS.values())
    free = [a for a in found if a.kind in order and a.id not in staying]
    return sorted(free, key=lambda a: (order.index(a.kind), _age(a)))


def must_stay(artifacts: Sequence[Artifact]) -> set[str]:
    """Ids of pinned, best and latest files: newest video and TensorBoard folder; newest, best and final checkpoint."""
    staying = {a.id for a in artifacts if a.pinned or a.path == OWN_VIDEO}
    for members in _by_group(artifacts).values():
        staying.add(members[0].id)
        for roles in (("best",), ("final", "stop")):
            staying |= {a.id for a in [a for a in members if a.role in roles][:1]}
    return staying


def _by_group(artifacts: Iterable[Artifact]) -> dict[Group, list[Artifact]]:
    """Newest first: checkpoints by training step, other files by time."""
    groups: dict[Group, list[Artifact]] = {}
    for artifact in sorted(artifacts, key=_age, reverse=True):
        group = group_of(artifact)
        if group is not None:
            groups.setdefault(group, []).append(artifact)
    return groups


def _age(artifact: Artifact) -> tuple[int, float]:
    return (artifact.timestep or 0) if artifact.kind == "checkpoint" else 0, artifact.created_at.timestamp()
