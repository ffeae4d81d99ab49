"""What the page and a play's worker say to each other over WS /api/plays/{id}/socket.

From the page, JSON: the objects below; `n` counts them up. To the page: frame messages (`portable/frame_protocol.py`)
with the fields of `PlayHeader`. What is held is a state, not a stream of presses: every step takes the state as it is
then, and a key that was pressed and let go between two steps counts for one step.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rl_lab.core.jobs.choices import CheckpointId, JobModel, Seed
from rl_lab.core.plays.controls import PlayControls
from rl_lab.core.plays.modes import Mode


class _Numbered(JobModel):
    n: int = Field(default=0, ge=0, description="Counts the page's messages.")


class Held(_Numbered):
    """What is held now; sent at every change."""

    op: Literal["held"] = "held"
    keys: list[str] = Field(default=[], max_length=32)
    axes: dict[int, float] = Field(
        default={}, description="Axes moved by mouse or gamepad, each from -1 to 1."
    )


class ActOnce(_Numbered):
    """One step with this very action: buttons, touch, scripts. Also while paused."""

    op: Literal["act"] = "act"
    action: int | list[float]


class StepOnce(_Numbered):
    """One step with what is held, while paused."""

    op: Literal["step"] = "step"


class PlayOrPause(_Numbered):
    op: Literal["play", "pause"]


class SetSpeed(_Numbered):
    op: Literal["speed"] = "speed"
    speed: float = Field(ge=0.1, le=2)


class NextEpisode(_Numbered):
    """Ends the episode; the next one has the same seed, the next seed, or this one."""

    op: Literal["restart", "next"]
    seed: Seed | None = None


class SetMode(_Numbered):
    op: Literal["mode"] = "mode"
    mode: Mode


class SetPolicy(_Numbered):
    """Another model acts, in agent and hybrid mode; null: random actions."""

    op: Literal["policy"] = "policy"
    run_id: str | None = Field(default=None, max_length=12)
    checkpoint: CheckpointId | None = None
    deterministic: bool = True


class SetControls(_Numbered):
    op: Literal["controls"] = "controls"
    controls: PlayControls


class EndPlay(_Numbered):
    """Ends the play; the episode so far is kept."""

    op: Literal["end"] = "end"


PlayMessage = Annotated[
    Held
    | ActOnce
    | StepOnce
    | PlayOrPause
    | SetSpeed
    | NextEpisode
    | SetMode
    | SetPolicy
    | SetControls
    | EndPlay,
    Field(discriminator="op"),
]
