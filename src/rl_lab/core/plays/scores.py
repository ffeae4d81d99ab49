"""High scores of an environment: the best episodes by people, by people and policies in turn, and by policies."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Player = Literal["person", "hybrid", "policy"]
WHO = "who"
"""Name of the recorded column: 1 for a step that a person chose, 0 for one of the agent."""


def player_of(by_person: Sequence[bool]) -> Player:
    """Who has played these steps."""
    if not any(by_person):
        return "policy"
    return "person" if all(by_person) else "hybrid"


def halves(column: bytes) -> list[float]:
    """The numbers of a recorded column: float16, as the protocol writes them."""
    return list(struct.unpack(f"<{len(column) // 2}e", column))


class HighScore(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    player: Player
    label: str = Field(description="Name of the play or of the run whose policy played.")
    run_id: str
    episode: int | None = Field(
        default=None, description="Its number in the run; null where the run is packed or has not kept it."
    )
    returned: float = Field(alias="return")
    length: int | None = None
    seed: int | None = None
    at: datetime


class HighScores(BaseModel):
    env_id: str
    scores: list[HighScore] = Field(description="Best first.")
    threshold: float | None = Field(
        default=None, description="The return from which the environment counts as solved."
    )
