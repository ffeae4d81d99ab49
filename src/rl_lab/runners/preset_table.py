"""Presets as a table: environment → levels; None stands for all other environments. Each runner has its own table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rl_lab.core.runners import Preset


class PresetLevel(NamedTuple):
    """The number of steps and the parameters of one preset."""

    total_timesteps: int
    params: dict[str, Any]


class Row(NamedTuple):
    """All presets of one algorithm for one environment."""

    fast: PresetLevel
    stable: PresetLevel
    high_score: PresetLevel
    steps: tuple[int, int, int]
    """short, medium, long"""


Table = Mapping[str | None, Row]

LENGTHS = ("short", "medium", "long")
TITLES = {
    "fast": ("Fast", "Shows progress as soon as possible; the result may be unstable."),
    "stable": ("Stable", "Settings that learn reliably with almost any seed."),
    "high_score": ("High score", "More steps and smaller updates for the best final result."),
    "short": ("Short", "A quick first run."),
    "medium": ("Medium", "Long enough to learn the task."),
    "long": ("Long", "Long enough to converge."),
}


def presets_of(table: Table, *, steps_keep_stable: bool = False) -> tuple[Preset, ...]:
    """All presets of an algorithm.

    `short`, `medium` and `long` set the number of steps. Named as a preset on their own, as older links and scripts do,
    they keep the default parameters, or with `steps_keep_stable` use those of `stable`.
    """
    return tuple(
        preset for env_id, row in table.items() for preset in _presets(env_id, row, steps_keep_stable)
    )


def _presets(env_id: str | None, row: Row, steps_keep_stable: bool) -> Iterator[Preset]:
    levels = {"fast": row.fast, "stable": row.stable, "high_score": row.high_score}
    params = row.stable.params if steps_keep_stable else {}
    levels |= {name: PresetLevel(n, params) for name, n in zip(LENGTHS, row.steps, strict=True)}
    for preset_id, level in levels.items():
        title, description = TITLES[preset_id]
        yield Preset(
            id=preset_id,
            title=title,
            description=description,
            question="how_long" if preset_id in LENGTHS else "how",
            env_id=env_id,
            total_timesteps=level.total_timesteps,
            params=level.params,
        )
