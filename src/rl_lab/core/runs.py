"""A Run is what a user asked for; an Attempt is one process that works on it. TRANSITIONS defines its states."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, field_validator, model_validator

from rl_lab.core.adoption import Source
from rl_lab.core.commands import FOREIGN_RUNNERS, Isolation
from rl_lab.core.errors import MoveRefused
from rl_lab.core.intervals import with_levels
from rl_lab.core.jobs.kinds import KINDS, JobConfig, RunKind
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.own_environments import executes_own_code, returns_note
from rl_lab.core.reproduction.origins import ModelOrigin, Origin


class RunStatus(StrEnum):
    created = "created"
    queued = "queued"
    starting = "starting"
    running = "running"
    paused = "paused"
    stopping = "stopping"
    succeeded = "succeeded"
    failed = "failed"
    stopped = "stopped"
    lost = "lost"
    followed = "followed"
    """Adopted, and its folder is still being written; no process of the lab works on it."""


S = RunStatus
FINAL = frozenset({S.succeeded, S.failed, S.stopped, S.lost})
LIVE = frozenset({S.starting, S.running, S.paused, S.stopping})
"""States in which a guardian runs a worker."""

TRANSITIONS: dict[RunStatus, frozenset[RunStatus]] = {
    S.created: frozenset({S.queued}),
    S.queued: frozenset({S.starting, S.stopped, S.failed}),
    S.starting: frozenset({S.running, S.stopping, S.succeeded, S.failed, S.stopped, S.lost}),
    S.running: frozenset({S.paused, S.stopping, S.succeeded, S.failed, S.stopped, S.lost}),
    S.paused: frozenset({S.running, S.stopping, S.succeeded, S.failed, S.stopped, S.lost}),
    S.stopping: frozenset({S.stopped, S.succeeded, S.failed, S.lost}),
    S.succeeded: frozenset({S.queued}),
    S.failed: frozenset({S.queued}),
    S.stopped: frozenset({S.queued}),
    S.lost: frozenset({S.queued}),
    S.followed: frozenset({S.succeeded, S.stopped, S.lost}),
}
"""The allowed transitions. Only resuming and lengthening leave a final state; both create a new attempt, and only
lengthening leaves `succeeded`."""

DEADLINES_S: dict[RunStatus, float] = {S.starting: 60.0, S.stopping: 45.0}
"""How long a run may stay in a transitional state before the orchestrator acts."""
PAUSE_DEADLINE_S = 30.0

Move = Literal["start", "stop", "pause", "resume"]

MOVES: dict[Move, dict[RunStatus, RunStatus]] = {
    "start": {S.created: S.queued},
    "stop": {S.queued: S.stopped, S.starting: S.stopping, S.running: S.stopping, S.paused: S.stopping},
    "pause": {S.running: S.paused},
    "resume": {S.paused: S.running, S.stopped: S.queued, S.failed: S.queued, S.lost: S.queued},
}
"""Which moves a user may make in which state, and the state each one leads to."""


def allowed_moves(status: RunStatus, *, is_adopted: bool = False, is_foreign: bool = False) -> list[str]:
    """`is_foreign`: the run is a foreign program, a play or imported: once it has ended the lab cannot resume it."""
    if is_adopted:
        return ["stop"] if status is S.followed else []
    if is_foreign and status in FINAL:
        return []
    return [move for move, table in MOVES.items() if status in table]


def require_move(move: Move, status: RunStatus, *, is_foreign: bool = False) -> RunStatus:
    """The state `move` leads to from `status`; raises MoveRefused with the allowed moves otherwise."""
    target = MOVES[move].get(status)
    if target is None:
        allowed = allowed_moves(status, is_foreign=is_foreign)
        rest = f"it can {' or '.join(allowed)}" if allowed else "it has ended"
        raise MoveRefused(
            f"A run that is {status} cannot {move}; {rest}.",
            allowed=allowed,
            next_step=_instead_of_resume(status) if move == "resume" and not is_foreign else None,
        )
    return target


def _instead_of_resume(status: RunStatus) -> str | None:
    if status is S.succeeded:
        # Nothing was left undone: what can be meant is more training, of this run or of another one.
        return (
            "Train it longer (`rl-lab continue RUN --timesteps 100000`), or start a new run from one of its "
            "checkpoints (`rl-lab train --from RUN@best`)."
        )
    if status in LIVE or status is S.queued:
        return "Stop it first to resume it from one of its checkpoints."
    return None


class EndReason(BaseModel, frozen=True):
    """Why a run ended: cause, a plain sentence, the next step."""

    cause: str
    message: str
    next_step: str = ""


RESULT_SCHEMA = {
    "anyOf": [
        *({"$ref": f"#/components/schemas/{kind.result.__name__}"} for kind in KINDS.values()),
        {"type": "object", "additionalProperties": True},
        {"type": "null"},
    ]
}
"""Results of other versions of the lab are served as they are."""


class Progress(BaseModel):
    """The progress of a run as of its last event."""

    timestep: int = 0
    """How much is done, in `unit`."""
    total_timesteps: int = 0
    """Of how much, in `unit`; 0 when that is unknown."""
    unit: str = ""
    """What is counted: steps of a training (updates of one that learns from a dataset), episodes of an evaluation,
    seeds of a duel, scenes of a film; episodes, steps or bytes of a job on datasets, whichever it has come to."""
    fraction: float = 0.0
    episodes: int = 0
    fps: float | None = None
    eta_s: float | None = None
    elapsed_s: float = 0.0
    last_event_at: datetime | None = None


class Summary(BaseModel):
    """The key numbers of a run, stored with the run so that listing runs takes one query."""

    model_config = ConfigDict(extra="allow")

    mean_reward: float | None = None
    """Of the last 100 episodes; of the last evaluation alongside, where a training from a dataset plays none."""
    best_mean_reward: float | None = None
    best_reward: float | None = None
    last_reward: float | None = None
    mean_length: float | None = None
    loss: float | None = None
    sparkline: list[float] = []
    """Up to 40 points of the mean reward over the run."""
    metrics: dict[str, float | None] = {}
    """The last value of each metric; of a training, once it has ended."""
    derived: dict[str, float | None] = {}
    """The last value of each derived metric, likewise; looked up when the run is read, and not stored with it."""
    numbers: dict[str, float] = {}
    """Means of the numbers of evaluation code, each of the newest evaluation that has it; those of a named
    protocol also as `soft_landings@nightly@v2`, of the newest evaluation by that version."""
    cited: dict[str, str] = {}
    """The protocol of each of these numbers, or the options of its evaluation."""
    score_reference: str | None = None
    """Which returns count as 0 and 100 in its normalised score, as a sentence."""
    result: Annotated[dict[str, Any] | None, WithJsonSchema(RESULT_SCHEMA)] = None
    """As the worker sent it in its final event; for a job, the result of its kind."""

    @field_validator("result")
    @classmethod
    def _has_levels(cls, result: dict[str, Any] | None) -> dict[str, Any] | None:
        """Earlier versions stored every interval as one of 95 %."""
        return with_levels(result) if result else result


class Run(BaseModel):
    id: str
    kind: RunKind = RunKind.train
    name: str
    status: RunStatus = RunStatus.created
    paused_wanted: bool = False
    """The user asked for a pause, but the worker has not reached an update boundary yet."""
    config: JobConfig = Field(discriminator="kind")
    env_id: str | None = None
    """Environment of a training; of a job, that of its training."""
    algorithm: str | None = None
    """Algorithm of a training; of a job, that of its training."""
    parent_id: str | None = None
    """The run an evaluation, fork, duel, film or verification belongs to."""
    study_id: str | None = None
    """The study it was created for."""
    variant: int | None = None
    """Number of its variant in that study."""
    notes: str = ""
    """Markdown that a user wrote."""
    priority: int = 0
    attempt: int = 0
    version: int = 0
    """Incremented at each change of state; used for compare-and-set."""
    tags: list[str] = []
    archived: bool = False
    isolation: Isolation | None = None
    """How well its foreign code is confined; None for the lab's own learners."""
    source: Source | None = None
    """Where an adopted run comes from."""
    origin: Origin | None = None
    """Where a run comes from that was imported: a pack, or a model file."""
    exact_resume: Literal["identical", "different"] | None = None
    """What its newest certificate of exact resume says; None: it was not certified."""
    deleted_at: datetime | None = None
    reason: EndReason | None = None
    progress: Progress = Field(default_factory=Progress)
    summary: Summary = Summary()
    created_at: datetime
    queued_at: datetime | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None
    updated_at: datetime
    allowed: list[str] = []
    """The moves a user may make now."""
    returns_note: str = ""
    """Why the lab cannot check the returns of this run; empty where it measures them itself."""

    @property
    def executes_own_code(self) -> bool:
        """Whether its environment is code that the user wrote in the lab, or has a wrapper that is."""
        return bool(self.returns_note)

    @property
    def is_program(self) -> bool:
        """Whether all of it is foreign code, which the lab can neither resume nor lengthen.

        A training of the lab's own learners in an environment that the user wrote is confined, too.
        """
        config = self.config
        is_ours = (
            isinstance(config, TrainConfig)
            and config.runner not in FOREIGN_RUNNERS
            and executes_own_code(config.env_id, config.env_kwargs)
        )
        return self.isolation is not None and not is_ours

    @model_validator(mode="after")
    def _noted(self) -> Run:
        env_id = self.env_id or getattr(self.config, "env_id", None) or ""
        self.returns_note = returns_note(env_id, getattr(self.config, "env_kwargs", None) or {})
        return self

    @model_validator(mode="after")
    def _counted(self) -> Run:
        """What the progress counts follows from the kind; only jobs on datasets report it."""
        if self.kind is RunKind.dataset and self.progress.unit:
            return self
        if self.kind in KINDS:
            self.progress.unit = KINDS[self.kind].counts
        elif isinstance(self.config, TrainConfig):
            self.progress.unit = self.config.unit
        return self


def require_adopted_move(move: Move | Literal["continue"], run: Run) -> None:
    """The only move of an adopted run is to stop following it; raises MoveRefused for all others."""
    if move == "stop" and run.status is S.followed:
        return
    folder = run.source.folder if run.source is not None else "a folder"
    message = f"The run “{run.name}” was adopted from {folder}; the lab cannot {move} it: "
    if move == "stop":
        message += "it is no longer followed."
    else:
        message += "it was written by a program that the lab does not control."
    allowed = allowed_moves(run.status, is_adopted=True)
    raise MoveRefused(message, allowed=allowed, next_step="Adopt the folder again to read its current data.")


def refuse_imported(move: Move | Literal["continue"], run: Run) -> None:
    """Raises MoveRefused for a run of another lab: its checkpoint would be loaded by a worker that is not confined."""
    if isinstance(run.origin, ModelOrigin):
        raise MoveRefused(
            f"The run “{run.name}” is an imported model; the lab cannot {move} it: the file holds the policy, but not "
            "the state of its training.",
            allowed=[],
            next_step="Start a new run from its checkpoint: that trains its policy further.",
        )
    if run.origin is not None:
        raise MoveRefused(
            f"The run “{run.name}” was imported with a pack; the lab cannot {move} it.",
            allowed=[],
            next_step="Run it again: that makes a run of this lab with the same settings and seed.",
        )


def refuse_ended_play(move: Move, run: Run) -> None:
    """Raises MoveRefused for the resume of a play that has ended: a new attempt would replace its episodes."""
    if move == "resume" and run.kind is RunKind.play and run.status in FINAL:
        raise MoveRefused(
            f"“{run.name}” is a play that has ended; its episodes are kept.",
            allowed=[],
            next_step=f"Start another play, or take over an episode: `rl-lab play --from {run.id} --episode latest`.",
        )
