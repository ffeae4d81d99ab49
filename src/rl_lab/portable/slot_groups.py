"""A SlotGroup is what the recorder knows of environments that belong together."""

from __future__ import annotations

from typing import Protocol


class SlotGroup(Protocol):
    """Environments of a captured script that share one role; see `capture/env_groups.py`."""

    number: int
    episodes: int

    @property
    def steps(self) -> int:
        """Steps taken in all of them."""
        ...

    @property
    def is_training(self) -> bool: ...
