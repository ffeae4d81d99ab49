"""High scores of an environment: the best episodes by people, by people and policies in turn, and by policies."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.plays.players import Player


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
