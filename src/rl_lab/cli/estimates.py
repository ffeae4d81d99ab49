"""How long a training will take, from earlier ones like it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

ROUND_S = ((3600, 300), (600, 60), (60, 10))
"""From so many seconds on, an estimate is rounded to so many: more digits would claim too much."""


def estimated_time(client: LabClient, config: dict[str, Any], done: int = 0) -> str | None:
    """One line about the steps after those `done`; None without a number of steps, or where no such run has ended."""
    from rl_lab.core.errors import LabError
    from rl_lab.core.lengths.limits import counted_unit

    steps = config["total_timesteps"] - done
    if steps <= 0:
        return None
    try:
        speed = client.get(
            f"/api/runners/{config['runner']}/speed",
            algorithm=config["algorithm"],
            env_id=config["env_id"],
        )
    except LabError:
        return None  # A script has no speed that is known before.
    return estimate_line(steps, speed, f"{counted_unit(config)}s") if speed["is_measured"] else None


def estimate_line(steps: int, speed: dict[str, Any], unit: str = "steps") -> str:
    from rl_lab.core.words.amounts import plural
    from rl_lab.core.words.durations import short_duration

    seconds = _rounded(steps / speed["steps_per_second"])
    runs = plural(speed["runs"], "earlier run")
    return (
        f"Estimated time: about {short_duration(seconds)} "
        f"({steps:,} {unit} at {speed['steps_per_second']:,.0f} {unit}/s, measured on {runs})."
    )


def _rounded(seconds: float) -> int:
    unit = next((unit for least, unit in ROUND_S if seconds >= least), 1)
    return max(1, round(seconds / unit) * unit)
