"""The name of a run that the user did not name: what it is, and what makes it different from other runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.own_environments import WRAPPERS
from rl_lab.core.runners import AlgorithmSpec, complete_params, find_preset
from rl_lab.core.words.amounts import plural
from rl_lab.core.words.durations import short_duration

BETWEEN = " · "
"""Separates the parts of a name."""
MOST_DIFFERENCES = 3
MAX_NAME = 200
SEED = "seed"


def training_name(config: TrainConfig, algorithm: AlgorithmSpec | None) -> str:
    """ "PPO on CartPole-v1 · learning rate 0.002 · seed 3"; the file name and arguments of a script."""
    command = config.params.get("command")
    if command:
        return _script_name([str(word) for word in command])[:MAX_NAME]
    where = f" on {config.env_id}" if config.env_id else ""
    differences = list(_differences(config, algorithm)) if algorithm else []
    seed = [f"{SEED} {config.seed}"] if config.seed is not None else []
    return BETWEEN.join([f"{config.algorithm.upper()}{where}", *_shortened(differences), *seed])[:MAX_NAME]


def job_name(what: str, trainings: Sequence[str]) -> str:
    """ "Evaluation of PPO on CartPole-v1 · seed 3", "Duel of PPO on CartPole-v1: seed 1 and seed 2" """
    names = distinct_parts(trainings)
    shared = BETWEEN.join(_shared_parts(trainings)) if names != list(trainings) else ""
    shown = names if len(names) < MOST_DIFFERENCES else [names[0], f"{len(names) - 1} others"]
    return f"{what} of {f'{shared}: ' if shared else ''}{' and '.join(shown)}"[:MAX_NAME]


def distinct_parts(names: Sequence[str]) -> list[str]:
    """The names without the parts that all of them share; complete where that would not tell them apart."""
    shared = _shared_parts(names)
    short = [BETWEEN.join(part for part in name.split(BETWEEN) if part not in shared) for name in names]
    return short if all(short) and len(set(short)) == len(set(names)) else list(names)


def _shared_parts(names: Sequence[str]) -> list[str]:
    first, *others = (name.split(BETWEEN) for name in names)
    return [part for part in first if all(part in other for other in others)]


def _differences(config: TrainConfig, algorithm: AlgorithmSpec) -> Iterator[str]:
    """Preset, parameters, environment arguments and steps that are not those of the preset for this environment."""
    preset = find_preset(algorithm, config.preset, config.env_id) if config.preset else None
    ordinary = algorithm.default_preset or next((p.id for p in algorithm.presets), None)
    if preset is not None and preset.id != ordinary:
        yield preset.title.lower()
    if config.reward is not None:
        yield f"reward {config.reward}"
    usual = complete_params(algorithm, preset, {}, config.env_id)
    for name, value in config.params.items():
        if name not in usual or usual[name] != value:
            yield describe_setting(name, value)
    for name, value in config.env_kwargs.items():
        yield describe_wrappers(value) if name == WRAPPERS else describe_setting(name, value)
    if config.length:
        yield config.length
    elif preset is not None and preset.total_timesteps not in (None, config.total_timesteps or None):
        yield from [plural(config.total_timesteps, config.unit)] if config.total_timesteps else []
    yield from _limits(config)


def _limits(config: TrainConfig) -> Iterator[str]:
    """ "30 min", "500 episodes" """
    is_named = config.length and not config.total_timesteps
    if config.max_seconds and not is_named:
        yield short_duration(config.max_seconds)
    if config.max_episodes:
        yield plural(config.max_episodes, "episode")


def _shortened(differences: Sequence[str]) -> list[str]:
    left = len(differences) - MOST_DIFFERENCES
    return [*differences[:MOST_DIFFERENCES], *([f"+{left}"] if left > 0 else [])]


def describe_setting(name: str, value: Any) -> str:
    """ "learning rate 0.002", "no normalize reward", "hidden 64, 64" """
    words = name.replace("_", " ").strip("- ")
    if isinstance(value, bool):
        return words if value else f"no {words}"
    return f"{words} {_value(value)}"


def describe_wrappers(chosen: Any) -> str:
    """ "frame stack 4, sticky actions 0.25" """
    if not isinstance(chosen, list) or not all(isinstance(one, Mapping) for one in chosen):
        return describe_setting(WRAPPERS, chosen)
    return ", ".join(
        " ".join([str(one.get("id")).replace("_", " "), *(_value(v) for k, v in one.items() if k != "id")])
        for one in chosen
    )


def describe_arguments(env_kwargs: Mapping[str, Any]) -> str:
    """ "gravity −5, frame stack 4": arguments and wrappers of an environment; empty without any."""
    parts = [
        describe_wrappers(value) if name == WRAPPERS else describe_setting(name, value)
        for name, value in env_kwargs.items()
    ]
    return ", ".join(filter(None, parts))


def _value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, int | float):
        text = f"{abs(value):g}" if abs(value) < 1 or value != int(value) else f"{abs(value):,.0f}"
        return ("−" if value < 0 else "") + re.sub("e-0?", "e-", text)
    if isinstance(value, list | tuple):
        return ", ".join(map(_value, value))
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_value(item)}" for key, item in value.items())
    return str(value)


def _script_name(command: Sequence[str]) -> str:
    """ "train.py · lr 0.1 · seed 1" of `python -u /home/me/train.py --lr 0.1 --seed 1`, "package.train" of `-m`."""
    if "-m" in command[1:-1]:
        start = list(command).index("-m") + 1
        name = command[start]
    else:
        scripts = [n for n, word in enumerate(command) if word.endswith((".py", ".sh"))]
        start = scripts[0] if scripts else 0
        name = PurePath(command[start]).name
    given = list(_arguments(command[start + 1 :]))
    seeds = [text for text in given if text.startswith(f"{SEED} ")]
    others = [text for text in given if text not in seeds]
    return BETWEEN.join([name, *_shortened(others), *seeds])


def _arguments(words: Sequence[str]) -> Iterator[str]:
    """Each option with its value, as in "learning rate 0.1"."""
    place = 0
    while place < len(words):
        option, sign, value = words[place].partition("=")
        place += 1
        if not option.startswith("-"):
            continue
        if not sign and place < len(words) and not words[place].startswith("--"):
            value = words[place]
            place += 1
        yield f"{option.lstrip('-').replace('-', ' ').replace('_', ' ')} {value}".strip()
