"""What the folder of a dataset's version holds, and dataset.json, which describes it.

    datasets/<name>/v<n>/
        dataset.json
        observations.npy    one row per step, and one more per episode: what was seen last
        actions.npy, rewards.npy, terminations.npy, truncations.npy    one row per step
        episode_ends.npy, episode_seeds.npy, episode_sources.npy, episode_numbers.npy    one row per episode

Every column is a plain `.npy` file, which is memory-mapped and never unpickled. Episodes lie one behind the other:
episode e has the steps from ends[e - 1] to ends[e], and step i of episode e was chosen in the observation of row i + e
and led to that of row i + e + 1. A dict or tuple space has one file per leaf: `observations.achieved_goal.npy`.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

DATASETS_FOLDER = "datasets"
"""Of the home folder."""
MANIFEST_FILE = "dataset.json"
FORMAT = 1

OBSERVATIONS, ACTIONS = "observations", "actions"
REWARDS, TERMINATIONS, TRUNCATIONS = "rewards", "terminations", "truncations"
EPISODE_ENDS = "episode_ends"
"""int64: the number of steps of all episodes up to and with this one."""
EPISODE_SEEDS = "episode_seeds"
"""int64: what the environment was reset with; -1 where that is not known."""
EPISODE_SOURCES = "episode_sources"
"""int32: which of the manifest's sources it comes from."""
EPISODE_NUMBERS = "episode_numbers"
"""int64: its number there."""
WHO = "who"
"""uint8, optional: 1 for each step in which a person acted."""
INFOS = "infos"
"""`infos.<key>`, optional: numbers of the environment's info, in rows like the observations."""
STEP_COLUMNS = (ACTIONS, REWARDS, TERMINATIONS, TRUNCATIONS)
EPISODE_COLUMNS = (EPISODE_ENDS, EPISODE_SEEDS, EPISODE_SOURCES, EPISODE_NUMBERS)
ORIGIN_COLUMNS = (EPISODE_SOURCES, EPISODE_NUMBERS)
"""They say where an episode comes from, not what it holds."""


class DatasetColumn(BaseModel):
    """One `.npy` file."""

    model_config = ConfigDict(frozen=True)

    name: str
    dtype: str
    shape: list[int]
    size: int = Field(description="Bytes of the file.")
    sha256: str


class EpisodeSource(BaseModel):
    """Where episodes come from."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["run", "policy", "file"]
    label: str = Field(description="Name of the run or policy, or of the file.")
    run_id: str | None = None
    checkpoint: str | None = Field(default=None, description="Artifact id of the policy's checkpoint.")
    sha256: str | None = Field(default=None, description="Of the checkpoint or of the imported file.")


class ScoreReference(BaseModel):
    """The returns that count as 0 and 100 in a normalised score."""

    model_config = ConfigDict(frozen=True)

    low: float
    high: float
    named: str = Field(
        description="What they are: “worst and best episode of this dataset”, “D4RL: random and expert”."
    )


class DatasetManifest(BaseModel):
    """dataset.json."""

    model_config = ConfigDict(frozen=True)

    format: int = FORMAT
    env_id: str = Field(description="Empty where the file did not say it.")
    env_kwargs: dict[str, Any] = {}
    env_version: str | None = Field(
        default=None, description="Package and version that the steps were made with."
    )
    observation_space: dict[str, Any]
    action_space: dict[str, Any]
    episodes: int
    transitions: int
    columns: list[DatasetColumn]
    sources: list[EpisodeSource] = []
    source: str = Field(default="", description="In words: where it was downloaded, how it was made.")
    licence: str = ""
    reference: ScoreReference | None = None
    notes: list[str] = Field(
        default=[], description="What was left out or repaired on the way, as sentences."
    )

    @property
    def sha256(self) -> str:
        """The content hash: of spaces and columns, not of texts. Equal contents have equal hashes, whatever way they
        came: `episode_sources` and `episode_numbers` do not count."""
        columns = [column for column in self.columns if column.name not in ORIGIN_COLUMNS]
        parts = {
            "spaces": [self.observation_space, self.action_space],
            "environment": [self.env_id, self.env_kwargs],
            "columns": sorted([c.name, c.dtype, c.shape, c.sha256] for c in columns),
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def size(self) -> int:
        return sum(column.size for column in self.columns)

    def has_column(self, name: str) -> bool:
        return any(column.name == name or column.name.startswith(f"{name}.") for column in self.columns)
