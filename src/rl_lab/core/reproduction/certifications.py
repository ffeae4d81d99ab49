"""A Certification: a configuration trained unbroken, and broken and resumed, compared to the last bit."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rl_lab.core.bounds import MAX_SEED
from rl_lab.core.reproduction.break_points import BreakKind
from rl_lab.core.reproduction.verifications import EventDifference
from rl_lab.core.words.amounts import plural

ResumeVerdict = Literal["identical", "different"]
USUAL_STEPS = 20_000
"""Steps of each training of a certification, unless the user chooses; most learners update many times in them."""
MOST_BREAKS = 200
HOW = {"stop": "a stop", "kill": "kill -9", "checkpoint": "going back to a checkpoint"}


class CertifyOptions(BaseModel):
    """Train a run's configuration unbroken, and broken and resumed, and compare every weight, episode and metric."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    timesteps: int | None = Field(
        default=None,
        ge=1,
        le=1_000_000_000,
        description=f"Steps of each training; as many as the run, at most {USUAL_STEPS:,}, when absent.",
    )
    whole: bool = Field(default=False, description="Each training is as long as the run itself.")
    breaks: int = Field(
        default=3,
        ge=1,
        le=MOST_BREAKS,
        description="How often it is broken and resumed: by a stop, by kill -9, from a random checkpoint, in turn.",
    )
    break_seed: int = Field(
        default=0, ge=0, le=MAX_SEED, description="Chooses the steps at which it is broken."
    )

    @model_validator(mode="after")
    def _has_one_length(self) -> CertifyOptions:
        if self.whole and self.timesteps is not None:
            raise ValueError("Choose either a number of steps or the whole run.")
        return self


class CertifiedAmounts(BaseModel, frozen=True):
    """How much was compared, over all resumed trainings."""

    episodes: int = 0
    values: int = Field(default=0, description="Values of metrics.")
    recordings: int = Field(default=0, description="Episodes whose actions were compared, one by one.")
    checkpoints: int = Field(default=0, description="Checkpoints whose tensors were compared.")
    tensors: int = Field(default=0, description="Tensors compared: weights, optimizer, normalisers, …")


class BreakResult(BaseModel, frozen=True):
    """One training that was broken and resumed."""

    kind: BreakKind
    step: int = Field(description="Its last step before the break.")
    resumed_at: int = Field(description="Step of the checkpoint that it was resumed from.")
    compared: CertifiedAmounts
    first_difference: EventDifference | None = None

    @property
    def sentence(self) -> str:
        if self.kind == "checkpoint":
            return f"resumed from the checkpoint of step {self.resumed_at:,}"
        return f"{HOW[self.kind]} at step {self.step:,}, resumed at {self.resumed_at:,}"


class CertificationResult(BaseModel):
    """What a certification found."""

    verdict: ResumeVerdict
    runner: str
    algorithm: str
    env_id: str
    seed: int
    steps: int = Field(description="Steps of each training.")
    breaks: list[BreakResult]
    first_difference: EventDifference | None = Field(
        default=None, description="The one at the lowest step of all resumed trainings."
    )
    first_break: int | None = Field(
        default=None, description="Position in `breaks` of the training with the first difference."
    )
    is_repeatable: bool | None = Field(
        default=None,
        description="After a difference: whether a second unbroken training equals the first one.",
    )
    is_deterministic: bool = Field(
        default=True,
        description="Whether the environment gives the same steps for the same seed and actions.",
    )
    compared: CertifiedAmounts
    probable_reasons: list[str] = Field(default=[], description="Why it may differ, most likely first.")
    notes: list[str] = Field(default=[], description="How the trainings differ from the run, and why.")
    config_sha256: str = ""
    unbroken_sha256: str = Field(default="", description="Digest of the events of the unbroken training.")
    seconds: float = Field(default=0.0, description="How long it took.")
    certificate: str = Field(default="", description="Path of the certificate in the run folder.")

    @property
    def sentence(self) -> str:
        """The verdict for people."""
        if self.first_difference is None or self.first_break is None:
            times = "once" if len(self.breaks) == 1 else f"{len(self.breaks)} times"
            return f"Identical: broken and resumed {times}, {self.amounts} are the same up to step {self.steps:,}."
        broken = self.breaks[self.first_break].sentence
        return f"Different ({broken}): {self.first_difference.describe('unbroken', 'resumed')}."

    @property
    def amounts(self) -> str:
        found = self.compared
        parts = [plural(found.episodes, "episode"), f"{plural(found.values, 'value')} of metrics"]
        if found.checkpoints:
            parts.append(f"{plural(found.tensors, 'tensor')} of {plural(found.checkpoints, 'checkpoint')}")
        return ", ".join(parts)
