"""A Study is a question: one or more variants (configurations), each trained with the same seeds."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.errors import MoveRefused
from rl_lab.core.jobs.choices import Seed
from rl_lab.core.runs import EndReason, Move
from rl_lab.core.studies.sweeps import Sweep

MAX_STUDY_RUNS = 10_000
"""Runs of one study; more are refused with their number."""
MAX_STUDY_SEEDS = 1000

Measure = Annotated[
    str,
    Field(
        min_length=1,
        max_length=80,
        description="What a variant is judged by: `final`, `best`, `area`, `evaluation`, a number of the evaluation "
        "code of the protocol in `evaluate_by`, or a derived metric as `metrics.NAME`.",
    ),
]


class StudyStatus(StrEnum):
    created = "created"
    running = "running"
    """Its runs train, or wait in the queue."""
    paused = "paused"
    """No further run of it starts; those that run continue."""
    finished = "finished"
    stopped = "stopped"
    """A user ended it before its last run."""
    failed = "failed"
    """Its runs failed one after the other; the reason says why."""


S = StudyStatus
STUDY_ENDED = frozenset({S.finished, S.stopped, S.failed})
STUDY_MOVES: dict[Move, dict[StudyStatus, StudyStatus]] = {
    "start": {S.created: S.running},
    "pause": {S.running: S.paused},
    "resume": {S.paused: S.running, S.stopped: S.running, S.failed: S.running},
    "stop": {S.running: S.stopped, S.paused: S.stopped},
}
"""Which moves a user may make in which state, and the state each one leads to."""


def require_study_move(move: Move, status: StudyStatus) -> StudyStatus:
    """The state `move` leads to from `status`; raises MoveRefused with the allowed moves otherwise."""
    target = STUDY_MOVES[move].get(status)
    if target is None:
        allowed = allowed_study_moves(status)
        rest = f"it can {' or '.join(allowed)}" if allowed else "it has ended"
        raise MoveRefused(f"A study that is {status} cannot {move}; {rest}.", allowed=allowed)
    return target


def allowed_study_moves(status: StudyStatus) -> list[str]:
    return [move for move, table in STUDY_MOVES.items() if status in table]


class VariantStatus(StrEnum):
    waiting = "waiting"
    running = "running"
    finished = "finished"
    pruned = "pruned"
    """Stopped early, because its curve was too low; the reason has the numbers."""
    failed = "failed"
    stopped = "stopped"


class _Plan(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class VariantPlan(_Plan):
    """A configuration that a user wrote: what differs from the base of the study."""

    label: str = Field(default="", max_length=200)
    settings: dict[str, Any] = Field(default={}, description="By name, as in `Sweep.parameters`.")


class Budget(_Plan):
    """When a study ends although points are left; whatever comes first."""

    runs: int | None = Field(default=None, ge=1, le=MAX_STUDY_RUNS)
    minutes: float | None = Field(default=None, gt=0, le=60 * 24 * 365)


class StudyPlan(_Plan):
    """What a study trains, complete: exported to a file and imported again, it creates the same study."""

    question: str = Field(default="", max_length=500)
    base: dict[str, Any] = Field(
        description="Fields of a new run (`NewRun`) that all variants share, without seed."
    )
    variants: list[VariantPlan] = Field(default=[], max_length=1000)
    sweep: Sweep | None = None
    seeds: list[Seed] = Field(
        min_length=1, max_length=MAX_STUDY_SEEDS, description="Each variant is trained with each."
    )
    measure: Measure = "final"
    budget: Budget = Budget()

    @property
    def protocol(self) -> str | None:
        """By which each run is evaluated after its training; its scores are those that the study is judged by."""
        return self.base.get("evaluate_by")


class Variant(BaseModel):
    """One configuration of a study."""

    study_id: str
    number: int
    """From 1, in the order of creation."""
    label: str
    """What differs from the other variants, e.g. "learning rate 0.001"."""
    settings: dict[str, Any] = {}
    status: VariantStatus = VariantStatus.waiting
    reason: str | None = None
    """Why it was pruned, has failed or was stopped."""
    value: float | None = None
    """Its measure: the mean over the seeds that have one."""
    run_ids: list[str] = []
    """Those that were not deleted, in the order of creation."""
    seeds: list[int] = []
    """Each of them is trained once."""
    created: int = 0
    """For how many of the seeds, from the first, a run was created; it may have been deleted since."""


class StudyCounts(BaseModel):
    variants: int = 0
    planned: int = 0
    """Runs of all variants and seeds, whether created yet or not, and of the points that TPE will suggest."""
    runs: int = 0
    """Runs that exist."""
    missing: int = 0
    """Runs that were created and have been deleted since."""
    queued: int = 0
    running: int = 0
    ended: int = 0
    succeeded: int = 0
    failed: int = 0


class Study(BaseModel):
    id: str
    name: str
    status: StudyStatus = StudyStatus.created
    reason: EndReason | None = None
    plan: StudyPlan
    env_id: str | None = None
    algorithm: str | None = None
    notes: str = ""
    """Markdown."""
    tags: list[str] = []
    priority: int = 0
    version: int = 0
    """Incremented at each change of state; used for compare-and-set."""
    counts: StudyCounts = StudyCounts()
    best_variant: int | None = None
    """Number of the variant with the highest measure; the best of many is partly luck."""
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    updated_at: datetime
    deleted_at: datetime | None = None
    allowed: list[str] = []
    """The moves a user may make now."""


def count_planned(study: Study) -> int:
    """The runs of a study when it is complete; `counts.planned` has those of the variants so far."""
    planned, sweep, budget = study.counts.planned, study.plan.sweep, study.plan.budget.runs
    if sweep is not None and sweep.method == "tpe" and study.status not in STUDY_ENDED:
        planned += max(0, (sweep.points or 0) - study.counts.variants) * len(study.plan.seeds)
    return planned if budget is None else min(planned, budget)
