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
HOURS = (1, 4, 10)
"""The lengths as times, for a runner that needs them all; a quicker runner gets a part of them."""
SMALL = (
    "Acrobot-v1",
    "Blackjack-v1",
    "CliffWalking-v1",
    "FrozenLake-v1",
    "FrozenLake8x8-v1",
    "MountainCar-v0",
    "MountainCarContinuous-v0",
    "Pendulum-v1",
    "Taxi-v4",
)
"""Environments that are learned in minutes: their lengths are numbers of steps, as for those with a row of their own.
For any other environment nothing is known, so its lengths are times."""
TITLES = {
    "fast": ("Fast", "Shows progress as soon as possible; the result may be unstable."),
    "stable": ("Stable", "Settings that learn reliably with almost any seed."),
    "high_score": ("High score", "More steps and smaller updates for the best final result."),
    "short": ("Short", "A quick first run."),
    "medium": ("Medium", "Long enough to learn the task."),
    "long": ("Long", "Long enough to converge."),
}


def presets_of(
    table: Table, *, steps_keep_stable: bool = False, time_factor: float = 1.0
) -> tuple[Preset, ...]:
    """All presets of an algorithm.

    `short`, `medium` and `long` set the number of steps, or a time of `time_factor` times 1, 4 and 10 hours. Named as a
    preset on their own, as older links and scripts do, they keep the default parameters, or with `steps_keep_stable`
    use those of `stable`.
    """
    found: list[Preset] = []
    for env_id, row in table.items():
        params = row.stable.params if steps_keep_stable else {}
        found += _ways(env_id, row)
        if env_id is not None:
            found += _by_steps(env_id, row, params)
            continue
        found += [_titled(name, None, params, seconds=_seconds(n, time_factor)) for n, name in _HOURS]
        for small in SMALL:
            found += _by_steps(small, row, params) if small not in table else ()
    return tuple(found)


_HOURS = tuple(zip(HOURS, LENGTHS, strict=True))


def _seconds(hours: int, factor: float) -> int:
    return round(hours * 3600 * factor)


def _ways(env_id: str | None, row: Row) -> Iterator[Preset]:
    """How to learn."""
    for name, level in (("fast", row.fast), ("stable", row.stable), ("high_score", row.high_score)):
        yield _titled(name, env_id, level.params, steps=level.total_timesteps)


def _by_steps(env_id: str, row: Row, params: dict[str, Any]) -> Iterator[Preset]:
    for name, steps in zip(LENGTHS, row.steps, strict=True):
        yield _titled(name, env_id, params, steps=steps)


def _titled(
    name: str,
    env_id: str | None,
    params: dict[str, Any],
    *,
    steps: int | None = None,
    seconds: int | None = None,
) -> Preset:
    title, description = TITLES[name]
    return Preset(
        id=name,
        title=title,
        description=description,
        question="how_long" if name in LENGTHS else "how",
        env_id=env_id,
        total_timesteps=steps,
        max_seconds=seconds,
        params=params,
    )
