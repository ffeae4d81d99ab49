"""What the configurations of runs have in common: limits, and models that refuse unknown fields."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.bounds import MAX_SEED

MAX_TIMESTEPS = 1_000_000_000
MAX_STEP = 2**53
MAX_SECONDS = 30 * 24 * 3600
MAX_EPISODES = 1_000_000_000
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
CheckpointId = Annotated[str, Field(max_length=64)]


class JobModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
