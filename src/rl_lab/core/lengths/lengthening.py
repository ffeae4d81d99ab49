"""A run that has ended is given a later end: so many more steps, so much more time, or so many more episodes.

What is asked for is the only end from then on, and schedules keep the length they were laid out over (`SCHEDULE_RULE`).
"""

from __future__ import annotations

import math

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.choices import MAX_EPISODES, MAX_SECONDS, MAX_TIMESTEPS
from rl_lab.core.jobs.training import Lengthening, TrainConfig
from rl_lab.core.lengths.limits import ends_text
from rl_lab.core.runs import Progress
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.durations import duration_words

SCHEDULE_RULE = (
    "A schedule, such as a falling learning rate, stays laid out over the first {steps} steps; after them it stays at "
    "its end, and at 5 % of its start if it ends lower."
)


class Longer(BaseModel):
    """How much longer a run trains; give one of the three."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    more_timesteps: int | None = Field(default=None, ge=1, le=MAX_TIMESTEPS, description="Steps to add.")
    more_seconds: int | None = Field(default=None, ge=1, le=MAX_SECONDS, description="Training time to add.")
    more_episodes: int | None = Field(default=None, ge=1, le=MAX_EPISODES, description="Episodes to add.")

    inexact: bool = Field(
        default=False,
        description="Also where something cannot be restored, such as after an update of packages.",
    )

    @model_validator(mode="after")
    def _one(self) -> Longer:
        if sum(one is not None for one in (self.more_timesteps, self.more_seconds, self.more_episodes)) != 1:
            raise PydanticCustomError("one_of", "Give one of more_timesteps, more_seconds and more_episodes.")
        return self

    @property
    def text(self) -> str:
        """100,000 more steps"""
        if self.more_seconds:
            return f"{duration_words(self.more_seconds)} more"
        count, noun = (
            (self.more_timesteps, "step") if self.more_timesteps else (self.more_episodes, "episode")
        )
        return plural(count or 0, noun).replace(" ", " more ", 1)


class LongerPreview(BaseModel, frozen=True):
    """What lengthening a run would do."""

    at: int = Field(description="Step of the checkpoint that it continues from.")
    total_timesteps: int = Field(description="0: it no longer ends by steps.")
    ends: str = Field(description="When it ends then, in words: “after 200,000 steps”.")
    schedules: str = Field(description="What becomes of its schedules, in one sentence.")


def lengthen(
    config: TrainConfig, longer: Longer, *, at: int, progress: Progress, is_solved: bool
) -> TrainConfig:
    """The configuration with the later end; `at`: the step of the checkpoint that the run continues from."""
    ends = {
        "total_timesteps": _sum(longer, "more_timesteps", _steps_before(config, longer, at), MAX_TIMESTEPS),
        "max_seconds": _sum(longer, "more_seconds", math.ceil(progress.elapsed_s), MAX_SECONDS) or None,
        "max_episodes": _sum(longer, "more_episodes", progress.episodes, MAX_EPISODES) or None,
    }
    first = config.lengthened or Lengthening(schedule_steps=config.schedule_steps, at=at)
    until = "timesteps" if is_solved else config.until
    return config.model_copy(update={**ends, "length": None, "until": until, "lengthened": first})


def preview(config: TrainConfig, at: int) -> LongerPreview:
    """`config` has the later end."""
    return LongerPreview(
        at=at,
        total_timesteps=config.total_timesteps,
        ends=ends_text(config.model_dump()),
        schedules=SCHEDULE_RULE.format(steps=f"{config.schedule_steps:,}"),
    )


def describe(config: TrainConfig, longer: Longer, at: int) -> str:
    """The line of the event log; `config` has the later end."""
    seen = preview(config, at)
    return f"Continued at step {at:,}: {longer.text}, so it ends {seen.ends}. {seen.schedules}"


def _steps_before(config: TrainConfig, longer: Longer, at: int) -> int:
    """A learner may make a few steps more than planned; then the plan is what the steps are added to."""
    planned = min(at, config.total_timesteps or at)
    return planned if planned + (longer.more_timesteps or 0) > at else at


def _sum(longer: Longer, field: str, before: int, most: int) -> int:
    """0 for an end that was not asked for."""
    more = getattr(longer, field)
    if more is None:
        return 0
    if before + more > most:
        message = f"The run would end at {before + more:,}; {most:,} is the most."
        raise InvalidInput.of_field(field, message, {"maximum": most - before})
    return int(before + more)
