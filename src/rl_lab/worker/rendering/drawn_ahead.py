"""All pictures of an episode, drawn while it is simulated once: for environments that cannot be kept by forking."""

from __future__ import annotations

import tempfile
from typing import Any

from rl_lab.worker.rendering.jpeg import to_jpeg
from rl_lab.worker.rendering.simulation import Simulation


class DrawnAhead:
    """Takes the place of `Snapshots` for an environment in another process; the pictures wait in a file."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by `close`
        self._ends: list[int] = []

    def play_through(self) -> list[dict[str, Any]]:
        """Simulate the episode to its end; returns the row of each step, from step 0 on."""
        rows = [self._row()]
        while self._simulation.advance():
            rows.append(self._row())
        return rows

    def jpeg(self, step: int) -> bytes:
        """The JPEG of the state after `step` actions."""
        begin = self._ends[step - 1] if step else 0
        self._file.seek(begin)
        return self._file.read(self._ends[step] - begin)

    def close(self) -> None:
        self._file.close()

    def _row(self) -> dict[str, Any]:
        self._file.write(to_jpeg(self._simulation.frame()))
        self._ends.append(self._file.tell())
        return self._simulation.describe_fully()
