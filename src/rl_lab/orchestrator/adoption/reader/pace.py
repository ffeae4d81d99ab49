"""How often what is followed is looked at: less and less, as long as nothing changes."""

from __future__ import annotations

import time
from dataclasses import dataclass

from rl_lab.orchestrator.adoption.reader.sources import SourceFolder

FIRST_LOOK_S, LAST_LOOK_S, SLOWER = 1.0, 30.0, 1.6


@dataclass
class Pace:
    """When to look again, and when to stop looking."""

    changed_at: float
    """Unix time of the last change."""
    delay_s: float = FIRST_LOOK_S
    next_at: float = 0.0

    def looked(self, has_changed: bool) -> None:
        now = time.time()
        if has_changed:
            self.changed_at, self.delay_s = now, FIRST_LOOK_S
        else:
            self.delay_s = min(self.delay_s * SLOWER, LAST_LOOK_S)
        self.next_at = now + self.delay_s


@dataclass
class Followed:
    """A run whose source is looked at again and again."""

    source: SourceFolder
    run_id: str
    copied: bool
    pace: Pace
