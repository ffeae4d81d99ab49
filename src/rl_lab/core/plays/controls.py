"""Controls: what keys, mouse and gamepad do in an environment."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

MAX_AXES = 6
"""Continuous actions with more numbers than this cannot be given by hand."""
MAX_ENTRIES = 64
"""The same for actions of several whole numbers."""

KeyName = str
"""As browsers name the physical key, independent of the keyboard's language: ArrowLeft, KeyA, Space (`event.code`)."""


class WholeNumbers(BaseModel):
    """Which values a whole number of an action takes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    low: int
    high: int


class KeyAction(BaseModel):
    """Keys that together give one action of a discrete space, or set one entry of an action that has several."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    keys: list[KeyName] = Field(min_length=1, max_length=6, description="All of them are held.")
    action: int = Field(description="The action, or the value of the entry.")
    entry: int | None = Field(
        default=None, ge=0, description="Multi: which entry of the action the keys set; null in other spaces."
    )
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

    kind: Literal["discrete", "multi", "continuous", "none"] = Field(
        description="multi: an action is several whole numbers, or bits; none: it cannot be played by hand."
    )
    source: Literal["environment", "lab", "user", "guessed"] = Field(
        default="guessed",
        description="Who named the keys: the environment, the lab's own table, the user; or nobody.",
    )
    keys: list[KeyAction] = Field(default=[], max_length=200)
    rest: int | None = Field(
        default=None, description="Discrete: the action when no key is held; null: wait for a key."
    )
    entries: list[WholeNumbers] = Field(
        default=[],
        max_length=MAX_ENTRIES,
        description="The values of each whole number of an action: one of a discrete space, several of multi.",
    )
    rests: list[int] = Field(
        default=[], max_length=MAX_ENTRIES, description="Multi: the value of each entry when nothing is held."
    )
    axes: list[ActionAxis] = Field(default=[], max_length=64)
    numbers: int = Field(default=0, ge=0, description="How many numbers an action of a continuous space has.")
    buttons: list[int] = Field(
        default=[], max_length=200, description="Discrete: the action of each gamepad button, -1 for none."
    )
    problem: str = Field(
        default="", description="Why it cannot be played by hand, and what can be done instead."
    )
