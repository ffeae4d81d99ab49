"""Controls: what keys, mouse and gamepad do in an environment."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_AXES = 6
"""Continuous actions with more numbers than this cannot be given by hand."""

KeyName = str
"""As browsers name the physical key, independent of the keyboard's language: ArrowLeft, KeyA, Space (`event.code`)."""


class KeyAction(BaseModel):
    """Keys that together give one action of a discrete space."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    keys: list[KeyName] = Field(min_length=1, max_length=6, description="All of them are held.")
    action: int
    label: str = Field(default="", max_length=60, description="What it does: “fire left engine”.")


class ActionAxis(BaseModel):
    """One number of a continuous action."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    index: int = Field(ge=0)
    label: str = Field(default="", max_length=60)
    minus: list[KeyName] = Field(default=[], max_length=4, description="Keys that move it towards `low`.")
    plus: list[KeyName] = Field(default=[], max_length=4)
    low: float
    high: float
    rest: float = Field(default=0.0, description="Its value when nothing is held.")
    rise_s: float = Field(
        default=0.15, ge=0, le=5, description="Seconds from rest to the end while a key is held."
    )
    fall_s: float = Field(default=0.1, ge=0, le=5, description="Seconds back to rest.")
    mouse: Literal["x", "y"] | None = None
    gamepad: int | None = Field(default=None, ge=0, le=31, description="Number of the gamepad's axis.")


class PlayControls(BaseModel):
    """How an environment is played by hand."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["discrete", "continuous", "none"]
    source: Literal["environment", "lab", "user", "guessed"] = Field(
        default="guessed",
        description="Who named the keys: the environment, the lab's own table, the user; or nobody.",
    )
    keys: list[KeyAction] = Field(default=[], max_length=200)
    rest: int | None = Field(
        default=None, description="Discrete: the action when no key is held; null: wait for a key."
    )
    axes: list[ActionAxis] = Field(default=[], max_length=64)
    buttons: list[int] = Field(
        default=[], max_length=200, description="Discrete: the action of each gamepad button, -1 for none."
    )
    problem: str = Field(
        default="", description="Why it cannot be played by hand, and what can be done instead."
    )
