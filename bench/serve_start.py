"""How long `rl-lab serve` takes to its first healthy answer, and how much memory it holds when idle."""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from bench.figures import Figure, at_most
from bench.servers import lab_process

TIMES, BAR_S, BAR_MB = 7, 1.5, 150.0
IDLE_S = 3.0
"""By then the catalogue of environments is loaded, too."""


def figures() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="rl-lab-bench-") as folder:
        measure(Path(folder), IDLE_S)  # the first start in a home also makes the database and the catalogue
        starts = [measure(Path(folder), 0.0)[0] for _ in range(TIMES)]
        _, memory = measure(Path(folder), IDLE_S)
    return [
        at_most(
            "`rl-lab serve` to its first healthy answer (median)", statistics.median(starts), BAR_S, " s"
        ),
        at_most("its memory when idle", memory, BAR_MB, " MB"),
    ]


def measure(home: Path, idle_s: float) -> tuple[float, float]:
    """Seconds to the first healthy answer, and MB of memory a while later."""
    with lab_process(home) as lab:
        time.sleep(idle_s)
        return lab.started_s, lab.memory_mb()
