"""Results of jobs: what the worker writes, the event log describes and the API returns.

Results are stored as JSON. `read_result` reads those of other versions of the lab, as far as they fit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from rl_lab.core.plays.players import Player
from rl_lab.core.workbench.protocols import RETURN, CitedProtocol, ProtocolVerdict

R = TypeVar("R", bound=BaseModel)


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


Bound = Annotated[float | None, BeforeValidator(_finite)]
"""Null: not bounded. One episode gives no interval."""
BOUND_SCHEMA = {"anyOf": [{"type": "number"}, {"type": "null"}]}
Interval = Annotated[
    tuple[Bound, Bound],
    # An array: the page's client does not know tuples.
    WithJsonSchema({"type": "array", "items": BOUND_SCHEMA, "minItems": 2, "maxItems": 2}),
]
"""Lower and upper end."""
Level = Annotated[
    float | None,
    Field(description="How often such an interval contains the true mean; null: too few values for one."),
]


class NumberSummary(BaseModel):
    """A number that evaluation code computed for each episode, in figures."""

    episodes: int = Field(description="How many of them have it.")
    mean: float
    std: float
    min: float
    max: float
    median: float
    ci: Interval = Field(description="Bootstrap interval of the mean; null ends: too few episodes.")
    ci_level: Level = None
    values: list[float | None] = Field(description="By episode; null: the code returned none there.")


class CodeProblem(BaseModel):
    """Why there are no numbers of the evaluation code; the returns are not concerned."""

    message: str
    line: int | None = Field(default=None, description="Of the code, from 1.")
    episode: int | None = Field(
        default=None, description="Its number in its run, from 0; null: it failed before the first one."
    )
    seed: int | None = None


class PlayedSteps(BaseModel):
    """Who acted in the recorded episodes of a play."""

    steps: int
    by_person: int = Field(description="Steps in which a person acted; a policy in the others.")
    players: list[Player] = Field(description="Of each episode.")


class EvaluationSummary(BaseModel):
    """Episodes of one checkpoint, or of a play, in figures; further stored fields are served as they are."""

    model_config = ConfigDict(extra="allow")

    episodes: int
    return_mean: float
    return_std: float
    return_min: float
    return_max: float
    return_median: float
    return_ci: Interval = Field(description="Bootstrap interval of the mean; null ends: too few episodes.")
    return_ci_level: Level = None
    length_mean: float
    terminated: int
    truncated: int
    success_threshold: float | None = None
    successes: int | None = Field(
        default=None, description="Episodes at or above the environment's threshold, if it has one."
    )
    deterministic: bool = True
    seeds: list[int]
    returns: list[float]
    lengths: list[int]
    played: PlayedSteps | None = Field(
        default=None,
        description="Who acted, where recorded episodes of a play were measured; null: a checkpoint played.",
    )
    checkpoint: str = ""
    checkpoint_sha256: str | None = Field(default=None, description="Of the file that played.")
    checkpoint_timestep: int | None = None
    checkpoint_role: str | None = Field(
        default=None, description="best, final, stop or interval: which checkpoint of the training played."
    )
    checkpoint_best_by: str | None = Field(
        default=None,
        description="What the best checkpoint was chosen by, if it played: training return, or evaluation on 5 fixed "
        "seeds.",
    )
    video: str | None = Field(default=None, description="Path of the MP4 in the run folder.")
    video_episodes: list[int] = Field(
        default=[],
        description="The episodes that the video shows, counted from 0: the one with the median return, "
        "unless asked otherwise.",
    )
    video_problem: str | None = Field(
        default=None, description="Why the wanted video is missing, and what to do about it."
    )
    notes: list[str] = Field(
        default=[],
        description="What the policy did not do as in its training, and why the return may be lower.",
    )
    protocol: CitedProtocol | None = Field(
        default=None, description="How it was measured; null in results of earlier versions of the lab."
    )
    verdict: ProtocolVerdict | None = Field(
        default=None, description="Whether it passes its protocol; null: that has no threshold."
    )
    code: str | None = Field(default=None, description="The evaluation code that computed the numbers.")
    numbers: dict[str, NumberSummary] = {}
    code_problem: CodeProblem | None = None
    own_reward: str | None = Field(
        default=None, description="The user's reward that the policy learned from; null: the environment's."
    )
    own_return_mean: float | None = Field(default=None, description="Mean return under that reward.")
    own_return_std: float | None = None
    own_returns: list[float] = Field(default=[], description="Returns under that reward, by episode.")
    own_problem: str | None = Field(default=None, description="Why there are none.")

    @property
    def means(self) -> dict[str, float]:
        """The mean return, and those of the numbers by their names."""
        return {**{name: one.mean for name, one in self.numbers.items()}, RETURN: self.return_mean}


class DuelSide(BaseModel):
    """One of the checkpoints of a duel."""

    run_id: str
    label: str
    summary: EvaluationSummary
    wins: int = Field(description="Seeds on which this side alone had the highest return.")


class PairedDifference(BaseModel):
    """Return of the first side minus that of another, seed by seed."""

    first: str
    second: str
    mean: Bound
    ci: Interval
    ci_level: Level = None
    wins_first: int
    wins_second: int
    ties: int


class DuelSummary(BaseModel):
    """Checkpoints compared on the same seeds."""

    env_id: str
    seeds: list[int]
    sides: list[DuelSide]
    differences: list[PairedDifference]
    video: str | None = None


class ForkResult(BaseModel):
    """The forked episode next to the recorded one."""

    model_config = ConfigDict(populate_by_name=True)

    parent_episode: int
    parent_return: float | None
    forked_at: int
    returned: float = Field(alias="return")
    length: int
    terminated: bool
    truncated: bool


class FilmScene(BaseModel):
    """One episode that a film shows."""

    model_config = ConfigDict(populate_by_name=True)

    episode: int = Field(description="Of the training or play, or of the film itself where checkpoints play.")
    timestep: int | None
    returned: float | None = Field(alias="return")
    role: str | None = Field(
        default=None, description="Of the checkpoint that plays; null: a recorded episode."
    )


class FilmResult(BaseModel):
    """A film and its scenes."""

    film: str = Field(description="Path of the film in the run folder.")
    scenes: list[FilmScene]
    seed: int | None = Field(default=None, description="The seed that every checkpoint played.")


def write_result(result: BaseModel) -> dict[str, Any]:
    """A result as JSON."""
    return result.model_dump(mode="json", by_alias=True)


def read_result(model: type[R], stored: Mapping[str, Any] | None) -> R | None:
    """A stored result; None when there is none, or it does not fit."""
    try:
        return model.model_validate(stored) if stored else None
    except ValidationError:
        return None
