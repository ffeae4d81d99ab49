"""How trainings come from each other: a picture of runs and what connects them."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

LineageKind = Literal["warm_start", "fork", "import"]
"""Trained on with the weights of a checkpoint; an episode played on from one of its steps; a run that was packed in
this lab, and imported again."""


class LineageNode(BaseModel, frozen=True):
    run_id: str
    name: str
    env_id: str
    algorithm: str
    runner: str
    status: str
    timestep: int
    score: float | None = None
    is_deleted: bool = False


class LineageEdge(BaseModel, frozen=True):
    parent: str = Field(description="Run id.")
    child: str = Field(description="Run id.")
    kind: LineageKind
    checkpoint: str | None = Field(default=None, description="Artifact id of the checkpoint in the parent.")
    timestep: int | None = None


class Lineage(BaseModel, frozen=True):
    """Ancestors and descendants of one run, itself included."""

    run_id: str
    nodes: list[LineageNode]
    edges: list[LineageEdge]
    is_cut: bool = Field(default=False, description="There are more runs than these.")


MAX_NODES = 200
