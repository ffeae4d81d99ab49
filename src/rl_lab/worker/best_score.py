"""The BestScore of a training: the highest mean return that one of its checkpoints had when it was saved."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass
class BestScore:
    score: float | None = None
    episodes: int = 0
    """How many episodes the mean is over. One over fewer is not compared: it may be luck, as after a resume."""

    def improve(self, score: float | None, episodes: int) -> bool:
        """Whether this is a new best, which is then kept."""
        if score is None or (self.score is not None and (score <= self.score or episodes < self.episodes)):
            return False
        self.score, self.episodes = score, episodes
        return True

    def state(self) -> dict[str, Any]:
        return asdict(self)
