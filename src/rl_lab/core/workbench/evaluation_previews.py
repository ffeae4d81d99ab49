"""Evaluation code tried on recorded episodes, before an evaluation uses it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from rl_lab.core.evaluations import CodeProblem, NumberSummary
from rl_lab.core.workbench.codes import CodeChoice

MOST_PREVIEWED = 100


class EvaluationPreviewQuestion(BaseModel):
    """Which code looks at which episodes."""

    model_config = ConfigDict(extra="forbid")

    source: str | None = Field(default=None, description="The code itself, which need not be saved.")
    choice: CodeChoice | None = Field(default=None, description="Saved code.")
    run_id: str = Field(
        max_length=12,
        description="An evaluation, a training or a play: its newest recorded episodes are used.",
    )
    limit: int = Field(default=20, ge=1, le=MOST_PREVIEWED, description="Episodes at most.")
    consent: str | None = Field(
        default=None,
        pattern="^[0-9a-f]{64}$",
        description="SHA-256 of the code: approval to run it on a machine that cannot confine it.",
    )

    @model_validator(mode="after")
    def _require_one(self) -> EvaluationPreviewQuestion:
        if (self.source is None) == (self.choice is None):
            raise PydanticCustomError("code", "give either the source or the choice of saved code")
        return self


class PreviewedEpisode(BaseModel):
    """One episode and its numbers."""

    episode: int = Field(description="Number in its run.")
    seed: int | None
    returned: float = Field(description="The return: sum of the environment's rewards.")
    length: int
    numbers: dict[str, float] = {}


class EvaluationPreview(BaseModel):
    run_id: str
    env_id: str
    episodes: list[PreviewedEpisode]
    numbers: dict[str, NumberSummary]
    problem: CodeProblem | None = Field(
        default=None, description="Why the code failed, and on which episode; those before it are listed."
    )
    notes: list[str] = []
