"""The presets as one table: algorithm → environment → settings; None stands for all other environments.

Steps are updates. `fast` shows a result soon, `stable` learns with any seed, `high_score` has wider
networks and takes longer.
"""

from __future__ import annotations

from rl_lab.runners.preset_table import PresetLevel, Row, Table

_WIDE = {"net_arch": [256, 256], "learning_rate": 3e-4}
_STEADY = {"learning_rate": 3e-4}


def _table(fast: int, stable: int, high_score: int) -> Table:
    """The same for every environment: what is learned from is the dataset."""
    steps = (fast, stable, high_score)
    row = Row(PresetLevel(fast, {}), PresetLevel(stable, _STEADY), PresetLevel(high_score, _WIDE), steps)
    return {None: row}


TABLES: dict[str, Table] = {
    "bc": _table(5_000, 20_000, 100_000),
    "td3_bc": _table(20_000, 100_000, 500_000),
    "iql": _table(10_000, 100_000, 500_000),
    "cql": _table(10_000, 100_000, 500_000),
}
