"""The config.json of an earlier run as the settings of a new one."""

from __future__ import annotations

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from rl_lab.core.errors import InvalidInput

MAX_BYTES = 1 << 20


def read_config(path: Path) -> dict[str, Any]:
    """The settings in a file, or from the standard input for `-`; a clear error if they are not those of a training."""
    try:
        with nullcontext(sys.stdin.buffer) if str(path) == "-" else path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)  # the size of a pipe or a device is not known before
        if len(data) > MAX_BYTES:
            raise InvalidInput.of_field("--config", f"{path} is too large to be a configuration.")
        found = json.loads(data)
    except OSError as error:
        raise InvalidInput.of_field("--config", f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError):
        raise InvalidInput.of_field("--config", f"{path} is not JSON.", "the config.json of a run") from None
    if not isinstance(found, dict) or "algorithm" not in found:
        raise InvalidInput.of_field(
            "--config", f"{path} is not the configuration of a training.", "the config.json of a run"
        )
    return found


ENDS = ("total_timesteps", "length", "max_seconds", "max_episodes", "expected_steps", "lengthened")


def given_settings(given: dict[str, Any]) -> dict[str, Any]:
    """What was given on the command line; an option that has its usual value counts as not given."""
    from rl_lab.orchestrator.runs.requests import NewRun

    usual = {name: field.default for name, field in NewRun.model_fields.items()}
    return {
        name: value
        for name, value in given.items()
        if value not in (None, {}, [])
        and (name in ("runner", "algorithm", "env_id") or value != usual.get(name))
    }


def replace_settings(base: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    """The settings of a file, with those that were given on the command line in their place.

    A new end, such as a time, takes the place of all ends of the file.
    """
    changed = given_settings(given)
    if any(name in changed for name in ENDS):
        base = {name: value for name, value in base.items() if name not in ENDS}
    for name in ("params", "env_kwargs"):
        if name in changed:
            changed[name] = {**base.get(name, {}), **changed[name]}
    return {"runner": None, **base, **changed}
