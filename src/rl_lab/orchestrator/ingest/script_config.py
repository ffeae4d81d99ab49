"""What a script reports about itself, as fields of its run's config; implausible values are left out. Pure."""

from __future__ import annotations

from typing import Any

import orjson

from rl_lab.core.bounds import MAX_SEED
from rl_lab.core.jobs.choices import MAX_TIMESTEPS
from rl_lab.core.protocol.events import ConfigEvent

MAX_ARGS = 500
ARG_BYTES = 4000
KWARGS_BYTES = 100_000
NAME_CHARS = 200


def config_fields(event: ConfigEvent, *, is_chosen: bool = False) -> dict[str, Any]:
    """Fields of TrainConfig that the event has values for; `is_chosen`: a user chose the training environment."""
    fields: dict[str, Any] = {}
    if event.env_id and not is_chosen:
        fields["env_id"] = event.env_id[:NAME_CHARS]
        if _is_plain(event.env_kwargs, KWARGS_BYTES):
            fields["env_kwargs"] = event.env_kwargs
    if event.seed is not None and 0 <= event.seed <= MAX_SEED:
        fields["seed"] = event.seed
    if event.args:
        fields["args"] = _plain_args(event.args)
    return fields


def total_timesteps_field(total: int) -> dict[str, Any]:
    return {"total_timesteps": total} if 0 < total <= MAX_TIMESTEPS else {}


def _plain_args(args: dict[str, Any]) -> dict[str, Any]:
    """Arguments are shown to people and in lists: there is a limit to their number and length."""
    kept = list(args.items())[:MAX_ARGS]
    return {
        name[:NAME_CHARS]: value if _is_plain(value, ARG_BYTES) else str(value)[:NAME_CHARS]
        for name, value in kept
    }


def _is_plain(value: Any, most: int) -> bool:
    """Whether it can be stored as JSON unchanged."""
    try:
        return len(orjson.dumps(value)) <= most
    except TypeError:
        return False
