"""The columns of a dataset's version as the arrays that D4RL returns; the layout is in `core/datasets/manifest.py`.

Files are memory-mapped and never unpickled. Every array that a script gets is its own copy: scripts scale rewards and
normalise observations in place.
"""

from __future__ import annotations

import json
import os
from typing import Any, NamedTuple

from rl_lab.capture.failures import DatasetUnusable

DAMAGED = (
    "Compare its files with their checksums (`rl-lab datasets check NAME`), then make or import it again, or choose "
    "another version."
)


class ScoreRange(NamedTuple):
    """The returns that count as 0 and 1."""

    low: float
    high: float
    named: str

    def normalise(self, score: Any) -> Any:
        """D4RL's formula; the share of a range without width is not a number."""
        width = self.high - self.low
        return (score - self.low) / width if width else score * float("nan")

    def sentence(self) -> str:
        other = "" if "D4RL" in self.named else ", not D4RL's reference"
        return (
            f"Normalised scores: 0 is a return of {_written(self.low)} and 100 one of {_written(self.high)} "
            f"({self.named}{other})."
        )


def _written(number: float) -> str:
    return f"{number:,.2f}".replace("-", "−")


class DatasetColumns:
    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.manifest = _read_manifest(folder)
        self.env_id = str(self.manifest.get("env_id") or "")
        self.env_kwargs: dict[str, Any] = dict(self.manifest.get("env_kwargs") or {})

    def open(self, name: str) -> Any:
        """A column as it is on the disk, memory-mapped."""
        import numpy as np

        path = os.path.join(self.folder, f"{name}.npy")
        try:
            return np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise DatasetUnusable(f"{path} of the dataset cannot be read: {error}.", DAMAGED) from None

    def transitions(self) -> dict[str, Any]:
        """`d4rl.qlearning_dataset`: cut-off episodes are no terminals, and their last step has its next observation."""
        rows = self._observation_rows()
        observations = self.open("observations")
        return {
            **self._steps(),
            "observations": _as_floats(observations[rows]),
            "next_observations": _as_floats(observations[rows + 1]),
        }

    def trajectories(self) -> dict[str, Any]:
        """`env.get_dataset()`: the same with `timeouts`, which end the episodes that no terminal ends."""
        found = self.transitions()
        timeouts = self._last_steps() & ~found["terminals"]
        return {**found, "timeouts": timeouts}

    def episodes(self) -> Any:
        """`d4rl.sequence_dataset`: one dict per episode."""
        whole = self.trajectories()
        start = 0
        for end in self.open("episode_ends").tolist():
            yield {name: column[start:end] for name, column in whole.items()}
            start = end

    def score_range(self) -> ScoreRange:
        """The reference of dataset.json, or the worst and best episode."""
        given = self.manifest.get("reference")
        if isinstance(given, dict):
            return ScoreRange(float(given["low"]), float(given["high"]), str(given.get("named") or ""))
        import numpy as np

        ends = self.open("episode_ends")
        starts = np.concatenate([[0], ends[:-1]])
        returns = np.add.reduceat(self.open("rewards").astype(np.float64), starts)
        return ScoreRange(
            float(returns.min()), float(returns.max()), "worst and best episode of this dataset"
        )

    def _steps(self) -> dict[str, Any]:
        return {
            "actions": _as_floats(self.open("actions")),
            "rewards": _as_floats(self.open("rewards")),
            "terminals": self.open("terminations").astype(bool),
        }

    def _observation_rows(self) -> Any:
        """The row of the observation in which each step was chosen: there is one more per episode."""
        import numpy as np

        ends = self.open("episode_ends")
        lengths = np.diff(ends, prepend=0)
        return np.arange(int(ends[-1])) + np.repeat(np.arange(len(ends)), lengths)

    def _last_steps(self) -> Any:
        import numpy as np

        ends = self.open("episode_ends")
        last = np.zeros(int(ends[-1]), bool)
        last[ends - 1] = True
        return last


def _as_floats(column: Any) -> Any:
    """A new array in single precision, as D4RL's."""
    import numpy as np

    return np.array(column, dtype=np.float32)


def _read_manifest(folder: str) -> dict[str, Any]:
    path = os.path.join(folder, "dataset.json")
    try:
        with open(path, "rb") as file:
            found = json.load(file)
    except (OSError, ValueError) as error:
        raise DatasetUnusable(f"The dataset's description {path} cannot be read: {error}.", DAMAGED) from None
    if not isinstance(found, dict) or not found.get("episodes"):
        raise DatasetUnusable(
            f"The dataset in {folder} has no episodes.", "Choose another dataset or version."
        )
    return found
