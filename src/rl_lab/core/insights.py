"""An insight: one sentence derived from a run's data, with the numbers it is based on."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

InsightLevel = Literal["good", "info", "warning"]


class InsightWindow(BaseModel):
    """The range of a chart that an insight refers to."""

    model_config = ConfigDict(frozen=True)

    series: str = Field(description="Name of the metric, such as `reward` or `kl`.")
    from_step: int
    to_step: int


class Insight(BaseModel):
    """One finding about a run, or about several seeds of one configuration."""

    model_config = ConfigDict(frozen=True)

    id: str = Field(description="Id of the detector that found it.")
    level: InsightLevel
    title: str
    text: str = Field(description="A plain sentence that contains the computed numbers.")
    confidence: float = Field(ge=0.0, le=1.0)
    evidence: dict[str, float | int | str] = Field(default_factory=dict)
    window: InsightWindow | None = None
    hint: str | None = Field(default=None, description="What to try next, with a concrete value.")
    param: str | None = Field(default=None, description="The hyper-parameter the hint changes.")
