"""Presets as a table: environment → levels; None is any other environment. Each runner has a table of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from rl_lab.core.runners import Preset


class Level(NamedTuple):
    total_timesteps: int
    params: dict[str, Any]


class Row(NamedTuple):
    """All presets of one algorithm for one environment."""

    fast: Level
    stable: Level
    high_score: Level
    steps: tuple[int, int, int]
    """short, medium, long"""


Table = Mapping[str | None, Row]

WORDS = {
    "fast": ("Fast", "Something to see as soon as possible; the end may wobble."),
    "stable": ("Stable", "Settings that learn with nearly any seed."),
    "high_score": ("High Score", "More steps and smaller moves for the best end result."),
    "short": ("Short", "A first look."),
    "medium": ("Medium", "Long enough to learn."),
    "long": ("Long", "Long enough to settle."),
}


def presets_of(table: Table, *, steps_keep_stable: bool = False) -> tuple[Preset, ...]:
    """`short`, `medium` and `long` say only how many steps to play, or take the settings of `stable` as well."""
    return tuple(
        preset for env_id, row in table.items() for preset in _presets(env_id, row, steps_keep_stable)
    )


def _presets(env_id: str | None, row: Row, steps_keep_stable: bool) -> Iterator[Preset]:
    levels = {"fast": row.fast, "stable": row.stable, "high_score": row.high_score}
    params = row.stable.params if steps_keep_stable else {}
    levels |= {name: Level(n, params) for name, n in zip(("short", "medium", "long"), row.steps, strict=True)}
    for preset_id, level in levels.items():
        title, description = WORDS[preset_id]
        yield Preset(
            id=preset_id,
            title=title,
            description=description,
            env_id=env_id,
            total_timesteps=level.total_timesteps,
            params=level.params,
        )
