"""The arguments of a script's command line, as pyrallis reads them: `--name VALUE`, each value as YAML."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.corl.learned_data import LearnedData
from rl_lab.runners.corl.params import FROM_LENGTH, is_form_field, is_left_open
from rl_lab.runners.corl.scripts import ENV, EPOCH_UPDATES, EPOCHS, SEED, UPDATES, CorlScript
from rl_lab.runners.script_text.arguments import is_default

MODELS = "models"
"""Folder of the script's own checkpoints, in its working directory."""
PLAIN_TEXT = re.compile(r"[A-Za-z][\w./@-]*")
YAML_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


def argv_of(script: CorlScript, config: TrainConfig, data: LearnedData) -> list[str]:
    """The run's own fields and what fits the data always, the others only if they differ from the script's default."""
    given = {**_own_fields(script, config, data), **_chosen(script, config, data)}
    return [word for name, value in given.items() for word in spell(name, value)]


def spell(name: str, value: Any) -> list[str]:
    text = _yaml(value)
    return [f"--{name}={text}"] if text.startswith("-") else [f"--{name}", text]


def updates_between_evaluations(script: CorlScript, config: TrainConfig) -> int | None:
    """None for a script that counts epochs, or evaluates at its end only."""
    for name in FROM_LENGTH:
        argument = script.find(name)
        if argument is not None:
            chosen = config.params.get(name)
            total = config.total_timesteps
            usual = int(argument.default)
            return int(chosen) if chosen is not None else usual if total >= usual else max(1, total // 10)
    return None


def _own_fields(script: CorlScript, config: TrainConfig, data: LearnedData) -> dict[str, Any]:
    env, seed = script.first_of(ENV), script.first_of(SEED)
    fields: dict[str, Any] = {env.name: data.name} if env else {}
    if seed is not None and config.seed is not None:
        fields[seed.name] = config.seed
    fields |= _length(script, config)
    if script.find("device") is not None:
        fields["device"] = _device(config.device)
    if script.find("checkpoints_path") is not None and config.params.get("save_models", True):
        fields["checkpoints_path"] = MODELS
    return fields


def _length(script: CorlScript, config: TrainConfig) -> dict[str, int]:
    total = config.total_timesteps
    count = script.first_of(UPDATES)
    if count is not None:
        return {count.name: total}
    each = script.find(EPOCH_UPDATES)
    assert each is not None
    chosen = config.params.get(EPOCH_UPDATES, each.default)
    size = min(int(chosen), total)
    if total % size:
        raise InvalidInput.of_field(
            "total_timesteps",
            f"{script.name} trains in epochs of {size:,} updates, and {total:,} is no multiple of that: choose "
            f"{total - total % size:,} or {total - total % size + size:,}, or another {EPOCH_UPDATES}.",
        )
    return {EPOCHS: total // size, **({} if size == each.default else {EPOCH_UPDATES: size})}


def _device(wanted: str) -> str:
    """The scripts need a definite device; most of them take a GPU for granted."""
    if wanted != "auto":
        return wanted
    return "cuda" if Path("/dev/nvidia0").exists() else "cpu"


def _chosen(script: CorlScript, config: TrainConfig, data: LearnedData) -> dict[str, Any]:
    fitting = _fitting(data)
    every = updates_between_evaluations(script, config)
    found: dict[str, Any] = {}
    for argument in script.arguments:
        name = argument.name
        if not is_form_field(argument) or name == EPOCH_UPDATES:
            continue
        value = config.params.get(name, None if is_left_open(name) else argument.default)
        if name in FROM_LENGTH:
            value = every
        elif value is None and name in fitting:
            value = fitting[name]
        if not is_default(argument, value):
            found[name] = value
    return found


def _fitting(data: LearnedData) -> dict[str, Any]:
    """Values of `params.FROM_DATASET`."""
    returns = [float(f"{one:.6g}") for one in (data.best_return, data.median_return)]
    return {
        "max_action": data.max_action,
        "max_traj_len": data.longest,
        "episode_len": data.longest,
        "buffer_size": data.transitions,
        "target_returns": returns,
    }


def _yaml(value: Any) -> str:
    if isinstance(value, str):
        is_plain = PLAIN_TEXT.fullmatch(value) and value.lower() not in YAML_WORDS
        return value if is_plain else json.dumps(value)
    if isinstance(value, float) and math.isfinite(value):
        return repr(value)
    return json.dumps(list(value) if isinstance(value, tuple) else value)
