"""The command line that starts a training again, with only what differs from its preset and from the defaults."""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import RunOptions, TrainConfig, options_schema
from rl_lab.core.runners import AlgorithmSpec, Preset, RunnerSpec, complete_params, find_length, find_preset
from rl_lab.core.words.durations import spell_duration


def train_command(config: TrainConfig, spec: RunnerSpec) -> str | None:
    """None for an algorithm that this lab no longer has, and for a run that was lengthened: run it again instead."""
    script = config.params.get("command")
    if spec.capabilities.own_environment:
        if not script:
            return None
        options = ["--protocol"] if spec.id == "program" else []
        options += _options(config, spec, only_scripts=True)
        return " ".join(["rl-lab run", *options, "--", shlex.join(map(str, script))])
    algorithm = next((one for one in spec.algorithms if one.id == config.algorithm), None)
    if algorithm is None or config.lengthened is not None:
        return None
    preset = preset_of(config, algorithm)
    words = [
        "rl-lab train",
        _quoted(config.env_id),
        f"--algorithm {config.algorithm} --runner {config.runner}",
    ]
    if config.preset and preset is not None:
        words.append(f"--preset {config.preset}")
    steps = _steps(config, algorithm, preset)
    words += steps
    if config.dataset is not None:
        words.append(f"--dataset {_quoted(str(config.dataset))}")
    if config.reward is not None:
        words.append(f"--reward {_quoted(str(config.reward))}")
    if config.start_from is not None:
        words.append(f"--from {config.start_from.run_id}@{config.start_from.checkpoint}")
    words.append(f"--seed {config.start_seed}")
    is_by_name = not config.total_timesteps and any(word.startswith("--length") for word in steps)
    words += _options(config, spec, without=("max_seconds",) if is_by_name else ())
    words += [f"--env-arg {name}={_quoted(value)}" for name, value in config.env_kwargs.items()]
    words += [f"--set {name}={_quoted(value)}" for name, value in changed_params(config, algorithm).items()]
    return " ".join(words)


def _steps(config: TrainConfig, algorithm: AlgorithmSpec, preset: Preset | None) -> list[str]:
    """The length by its name, if the lab still has it with this many steps; nothing if the preset says the same."""
    try:
        length = find_length(algorithm, config.length, config.env_id) if config.length else None
    except InvalidInput:
        length = None
    if length is not None and _is_of_length(config, length):
        return [f"--length {length.id}", *_expected(config)]
    if not config.total_timesteps:
        return _expected(config)
    is_usual = preset is not None and config.total_timesteps == preset.total_timesteps
    # A preset's steps are not a limit where a time or a number of episodes is.
    is_limited = bool(config.max_seconds or config.max_episodes)
    return [] if is_usual and not is_limited else [f"--timesteps {config.total_timesteps}"]


def _is_of_length(config: TrainConfig, length: Preset) -> bool:
    return (
        length.max_seconds == config.max_seconds
        if length.max_seconds
        else length.total_timesteps == config.total_timesteps
    )


def _expected(config: TrainConfig) -> list[str]:
    """Schedules are laid out over these steps, so a repeated run needs the same."""
    is_needed = config.expected_steps is not None and not config.total_timesteps
    return [f"--expected-steps {config.expected_steps}"] if is_needed else []


def preset_of(config: TrainConfig, algorithm: AlgorithmSpec) -> Preset | None:
    """The preset that the run came from, as it is for its environment; None if the lab no longer has it."""
    try:
        return find_preset(algorithm, config.preset, config.env_id) if config.preset else None
    except InvalidInput:
        return None


def changed_params(config: TrainConfig, algorithm: AlgorithmSpec) -> dict[str, Any]:
    """The parameters that a user chose: those that differ from the preset of the run's environment."""
    start = complete_params(algorithm, preset_of(config, algorithm), {})
    return {name: value for name, value in config.params.items() if start.get(name, ...) != value}


def _options(
    config: TrainConfig, spec: RunnerSpec, *, without: Collection[str] = (), only_scripts: bool = False
) -> Iterator[str]:
    """The run options that differ from their defaults."""
    for name, field in options_schema(spec.capabilities)["properties"].items():
        value = getattr(config, name)
        is_default = value == RunOptions.model_fields[name].default
        if is_default or name in without or (only_scripts and not field.get("x-scripts")):
            continue
        spelled = _spelled(name, field)
        if isinstance(value, bool):
            yield spelled if value else spelled.replace("--", "--no-", 1)
        elif field.get("x-unit") == "duration":
            yield f"{spelled} {spell_duration(value)}"
        else:
            yield f"{spelled} {_quoted(value)}"


def _spelled(name: str, field: Mapping[str, Any]) -> str:
    return str(field.get("x-cli", [f"--{name.replace('_', '-')}"])[0])


def _quoted(value: Any) -> str:
    return shlex.quote(value if isinstance(value, str) else json.dumps(value, separators=(",", ":")))
