"""An insight: one sentence derived from a run's data, with the numbers it is based on."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

InsightLevel = Literal["good", "info", "warning"]


class InsightWindow(BaseModel):
    """The range of a chart that an insight refers to."""

    model_config = ConfigDict(frozen=True)

    series: str = Field(description="Name of the metric, such as `reward` or `kl`.")
    from_step: int
    to_step: int


class InsightChange(BaseModel):
    """The settings to try instead of the run's; the others stay as they are."""

    model_config = ConfigDict(frozen=True)

    params: dict[str, Any] = {}
    total_timesteps: int | None = None


class Insight(BaseModel):
    """One finding about a run, or about several seeds of one configuration."""

    model_config = ConfigDict(frozen=True)

    id: str = Field(description="Id of the detector that found it.")
    level: InsightLevel
    title: str
    text: str = Field(description="A plain sentence that contains the computed numbers.")
    confidence: float | None = Field(
        default=None,
        ge=0.0,
        le=1.0,
        description="Share of such statements that were right in labelled runs; null for a fact that needs no test.",
    )
    evidence: dict[str, float | int | str] = Field(default_factory=dict)
    window: InsightWindow | None = None
    hint: str | None = Field(default=None, description="What to try next, with a concrete value.")
    param: str | None = Field(default=None, description="The hyper-parameter the hint changes.")
    change: InsightChange | None = Field(default=None, description="The hint as settings of a new run.")
    command: str | None = Field(default=None, description="The command line of a new run with this change.")


class SeedGroup(BaseModel):
    """Runs that differ only in their seed, and whether their rewards agree."""

    model_config = ConfigDict(frozen=True)

    run_ids: list[str]
    seeds: list[int | None]
    insight: Insight | None = Field(
        description="Null when the runs are too short to compare, or neither agree nor disagree clearly."
    )
