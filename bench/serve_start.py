"""How long `rl-lab serve` takes until its first healthy response, and its memory when idle."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from bench.figures import Figure, at_most
from bench.servers import lab_process

TIMES, BAR_S, BAR_MB = 7, 1.5, 150.0
IDLE_S = 3.0
"""After this time the catalogue of environments is loaded too."""


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="rl-lab-bench-") as folder:
        measure(
            Path(folder), IDLE_S
        )  # the first start in a home folder also creates the database and the catalogue
        starts = [measure(Path(folder), 0.0)[0] for _ in range(TIMES)]
        _, memory = measure(Path(folder), IDLE_S)
    return [
        at_most(
            "`rl-lab serve` until its first healthy response (median)", statistics.median(starts), BAR_S, " s"
        ),
        at_most("its memory when idle", memory, BAR_MB, " MB"),
    ]


def measure(home: Path, idle_s: float) -> tuple[float, float]:
    """Seconds until the first healthy response, and MB of memory a while later."""
    with lab_process(home) as lab:
        time.sleep(idle_s)
        return lab.started_s, lab.memory_mb()
