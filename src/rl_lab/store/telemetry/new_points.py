"""NewPoints collects points that were just stored, for clients that draw them without asking for the series again.

It needs numpy only once there are points, so that the server starts without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rl_lab.store.telemetry.batch import StoredPoints

MAX_NEW_POINTS = 200
"""Points of one series in one message; of more, a selection that keeps every peak is sent."""


class NewPoints:
    """The points of consecutive batches, until they are taken."""

    def __init__(self) -> None:
        self._parts: dict[str, list[StoredPoints]] = {}

    def __bool__(self) -> bool:
        return bool(self._parts)

    def add(self, points: Mapping[str, StoredPoints]) -> None:
        for name, part in points.items():
            self._parts.setdefault(name, []).append(part)

    def clear(self) -> None:
        self._parts = {}

    def take(self) -> dict[str, Any]:
        """All of them, in the shape of a response with metrics."""
        from rl_lab.store.telemetry import series

        parts, self._parts = self._parts, {}
        found = {name: series.select_new(name, stored, MAX_NEW_POINTS) for name, stored in parts.items()}
        return {"series": {name: one.columns() for name, one in found.items()}}
