"""A Verification: a run trained again, compared with the recorded one event by event."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Verdict = Literal["identical", "within tolerance", "different"]
TOLERANCE = 0.05


class VerifyOptions(BaseModel):
    """Train a run again from its configuration, in a new process, and compare every event."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    tolerance: float = Field(
        default=TOLERANCE,
        ge=0,
        le=1,
        description="Largest relative deviation of the final mean return and of the mean over all steps; "
        "0: only identical passes, and the verification ends at the first difference.",
    )
    against: str | None = Field(
        default=None,
        max_length=12,
        description="Compare with this run instead of training again, e.g. with a second run of the same script.",
    )


class EventDifference(BaseModel, frozen=True):
    """One quantity that is not the same in both runs."""

    step: int = Field(description="Step of the training at which it was reported.")
    episode: int | None = Field(
        default=None, description="Number of the recorded episode, for its quantities."
    )
    quantity: str = Field(description="What differs: return, length, actions, the name of a metric, weights.")
    recorded: float | str | None = Field(description="The value of the verified run.")
    found: float | str | None = Field(description="The value when it was trained again.")

    @property
    def sentence(self) -> str:
        return self.describe("recorded", "now")

    def describe(self, first: str, second: str) -> str:
        """With a word for each of the two trainings."""
        where = f"step {self.step:,}"
        if self.episode is not None:
            where += f", episode {self.episode}"
        return f"{self.quantity} at {where}: {first} {_shown(self.recorded)}, {second} {_shown(self.found)}"


class ComparedAmounts(BaseModel, frozen=True):
    """How much was compared, so that a verdict can be weighed."""

    steps: int = 0
    episodes: int = 0
    recordings: int = Field(default=0, description="Episodes whose actions were compared, one by one.")
    values: int = Field(default=0, description="Values of metrics that both runs reported at the same step.")
    weights: bool = Field(default=False, description="The weights of the last checkpoint were compared.")


class ComparedFigure(BaseModel, frozen=True):
    """A figure of the whole run that the tolerance is about."""

    name: str
    recorded: float | None
    found: float | None
    deviation: float | None = Field(
        description="|found − recorded| ÷ |recorded|; null where it is not defined."
    )


class VerificationResult(BaseModel):
    """What a verification found."""

    verdict: Verdict
    tolerance: float = Field(
        description="Largest relative deviation that still passes; 0: only identical passes."
    )
    first_difference: EventDifference | None = None
    compared: ComparedAmounts
    figures: list[ComparedFigure] = Field(
        default=[], description="Empty when it ended at the first difference."
    )
    probable_reasons: list[str] = Field(default=[], description="Why it may differ, most likely first.")
    notes: list[str] = Field(default=[], description="What was left out of the comparison, and why.")
    config_sha256: str = ""
    snapshot_sha256: str = Field(default="", description="Of the verified run's snapshot; empty without one.")
    recorded_sha256: str = Field(default="", description="Digest of the verified run's compared events.")
    found_sha256: str = Field(default="", description="The same of the repeated training.")
    certificate: str | None = Field(default=None, description="Path of the certificate in the run folder.")
    against: str | None = Field(
        default=None, description="The run compared with, if it was not trained again."
    )

    @property
    def has_passed(self) -> bool:
        return self.verdict != "different"

    @property
    def sentence(self) -> str:
        """The verdict for people."""
        if self.verdict == "identical":
            return f"Identical: {self.amounts}."
        first = f" First difference: {self.first_difference.sentence}." if self.first_difference else ""
        if self.verdict == "within tolerance":
            return f"Within tolerance (±{self.tolerance:.0%}): {self._deviations()}.{first}"
        if not self.tolerance:
            return f"Different: only identical passes.{first}"
        return f"Different: {self._deviations()}; allowed are ±{self.tolerance:.0%}.{first}"

    @property
    def amounts(self) -> str:
        found = self.compared
        parts = [f"{found.episodes:,} episodes", f"{found.values:,} values of metrics"]
        if found.recordings:
            parts.append(f"the actions of {found.recordings:,} episodes")
        if found.weights:
            parts.append("the weights")
        return f"{', '.join(parts)} up to step {found.steps:,}"

    def _deviations(self) -> str:
        known = [f"{f.name} {_signed(f)}" for f in self.figures if f.deviation is not None]
        return ", ".join(known) or "no figure can be compared"


def _signed(figure: ComparedFigure) -> str:
    assert figure.recorded is not None and figure.found is not None
    return f"{_shown(figure.recorded, 5)} → {_shown(figure.found, 5)} ({figure.deviation:.1%})"


def _shown(value: float | str | None, digits: int = 17) -> str:
    """A difference may be in the last digit."""
    if value is None or isinstance(value, str):
        return value or "none"
    text = f"{value:.{digits}g}" if digits < 17 else f"{value:.0f}" if value == int(value) else repr(value)
    return text.replace("-", "−")
