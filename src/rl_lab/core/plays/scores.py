"""High scores of an environment: the best episodes by people, by people and policies in turn, and by policies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.plays.players import Player


class HighScore(BaseModel):
    model_config = ConfigDict(populate_by_name=True)

    rank: int = Field(default=0, description="Its place among those of its list; equal returns share one.")
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
    arguments: str = Field(
        default="", description="What is changed of the environment: arguments and wrappers; empty: nothing."
    )
    cited: str | None = Field(
        default=None, description="The protocol of the evaluation that the episode is from; null: of none."
    )


class ScoreGroup(BaseModel):
    """The best of one kind of player, each play and each training once."""

    player: Player
    scores: list[HighScore] = Field(description="Best first; of equal returns the earlier one.")


class HighScores(BaseModel):
    env_id: str
    groups: list[ScoreGroup] = Field(description="People, people and policies in turn, policies.")
    changed: list[HighScore] = Field(
        default=[],
        description="Those with other arguments or wrappers, whose returns cannot be compared with the others.",
    )
    returns_note: str = Field(
        default="", description="Why the lab cannot check these returns; empty where it measures them itself."
    )
    threshold: float | None = Field(
        default=None, description="The return from which the environment counts as solved."
    )


class Candidate(NamedTuple):
    """The best episode of a run, before it is ranked."""

    score: HighScore
    key: str
    """The play, or the training whose policy played: one entry for each."""
    env_kwargs: Mapping[str, Any]


def rank_scores(candidates: Sequence[Candidate], limit: int) -> list[HighScore]:
    """Best first, of equals the earlier one; each key once per set of arguments. Equal returns share a place."""
    ordered = sorted(candidates, key=lambda one: (-one.score.returned, one.score.at, one.score.run_id))
    first = {(one.key, one.score.arguments): one.score for one in reversed(ordered)}
    best = sorted(first.values(), key=lambda score: (-score.returned, score.at, score.run_id))[:limit]
    places = {score.returned: place for place, score in reversed(list(enumerate(best, 1)))}
    return [score.model_copy(update={"rank": places[score.returned]}) for score in best]
