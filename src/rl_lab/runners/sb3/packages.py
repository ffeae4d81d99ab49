"""A saved SB3 model as a package: the library's own zip, the normaliser's statistics as JSON, and an example."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from gymnasium import spaces

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.sb3.checkpoints import State, read_state
from rl_lab.runners.sb3.models import CLASSES
from rl_lab.runners.sb3.observations import ATARI_SIDE, ATARI_STACK, is_atari, needs_flattening
from rl_lab.runners.sb3.policy import CLIP, EPSILON
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.models.examples import EPISODE, environment_module, make_line, registration
from rl_lab.worker.runner import PackagedModel

MODEL, NORMALISER = "model.zip", "normaliser.json"
PREFIX = "observation:"
"""Of the names of the normaliser's arrays in a checkpoint; the rest is the key of a Dict observation, or empty."""
ATARI_LINES = f"""
def shrink(frame):
    grey = cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY) if frame.ndim == 3 else frame
    return cv2.resize(grey, ({ATARI_SIDE}, {ATARI_SIDE}), interpolation=cv2.INTER_AREA)


{{make}}
env = gym.wrappers.TransformObservation(env, shrink, gym.spaces.Box(0, 255, ({ATARI_SIDE}, {ATARI_SIDE}), np.uint8))
env = gym.wrappers.FrameStackObservation(env, {ATARI_STACK}, padding_type="zero")"""


def package(checkpoint: Path, config: TrainConfig, folder: Path) -> PackagedModel:
    shutil.copyfile(checkpoint, folder / MODEL)
    files = {MODEL: f"the model, for `{CLASSES[config.algorithm.lower()].__name__}.load`"}
    statistics = _statistics(read_state(checkpoint))
    if statistics:
        (folder / NORMALISER).write_text(json.dumps(statistics, indent=1) + "\n", "utf-8")
        files[NORMALISER] = "the observations' mean and variance in training; the example applies them"
    env = make_environment(config.env_id, config.env_kwargs)
    try:
        example = _example(env, config, statistics)
        modules = ["gymnasium", "numpy", "stable_baselines3", "torch", environment_module(env)]
        modules += ["cv2"] if is_atari(env) else []
    finally:
        env.close()
    return PackagedModel(
        MODEL, files, example, library="stable-baselines3", packages=tuple(filter(None, modules))
    )


def _statistics(state: State) -> dict[str, Any]:
    """Empty for a training without normalised observations."""
    names = [name for name in state if name.startswith(PREFIX) and name.endswith("_mean")]
    if not names:
        return {}
    found: dict[str, Any] = {"epsilon": EPSILON, "clip": CLIP}
    for name in sorted(names):
        key = name.removeprefix(PREFIX).removesuffix("_mean")
        variance = state[f"{PREFIX}{key}_var"]
        found[f"observation:{key}" if key else "observation"] = {
            "mean": state[name].tolist(),
            "var": variance.tolist(),
        }
    return found


def _example(env: Any, config: TrainConfig, statistics: dict[str, Any]) -> str:
    algorithm = CLASSES[config.algorithm.lower()].__name__
    register = registration(env)
    imports = ["import cv2"] if is_atari(env) else []
    imports += ["import gymnasium as gym"]
    imports += ["import numpy as np"] if statistics or is_atari(env) else []
    imports += [f"from stable_baselines3 import {algorithm}"]
    lines = [
        *(["import json", ""] if statistics else []),
        *sorted([line for line in register if line.startswith("import")] + imports[:-1]),
        imports[-1],
        "",
        *(line for line in register if not line.startswith("import")),
        f'model = {algorithm}.load("{MODEL}", device="cpu")',
        *([f'normaliser = json.load(open("{NORMALISER}"))'] if statistics else []),
        _environment_lines(env, config),
        *_scale_lines(env, statistics),
    ]
    is_discrete = isinstance(env.action_space, spaces.Discrete)
    seen = "scale(observation)" if statistics else "observation"
    act = f"    action, _ = model.predict({seen}, deterministic=True)"
    return (
        "\n".join(lines) + "\n" + EPISODE.format(act=act, action="int(action)" if is_discrete else "action")
    )


def _environment_lines(env: Any, config: TrainConfig) -> str:
    make = make_line(env, config.env_id, config.env_kwargs)
    if is_atari(env):
        return ATARI_LINES.format(make=make)
    if needs_flattening(env.observation_space):
        return f"{make}\nenv = gym.wrappers.FlattenObservation(env)"
    return make


def _scale_lines(env: Any, statistics: dict[str, Any]) -> list[str]:
    if not statistics:
        return []
    clip = f"np.clip(scaled, -{CLIP:g}, {CLIP:g}).astype(np.float32)"
    if "observation" in statistics:
        return [
            'mean, var = (np.array(normaliser["observation"][name]) for name in ("mean", "var"))',
            "",
            "",
            "def scale(seen):",
            '    scaled = (seen - mean) / np.sqrt(var + normaliser["epsilon"])',
            f"    return {clip}",
            "",
            "",
        ]
    return [
        "",
        "",
        "def scale(seen):",
        "    result = dict(seen)",
        "    for name, known in normaliser.items():",
        '        if name.startswith("observation:"):',
        '            key = name.removeprefix("observation:")',
        '            mean, var = np.array(known["mean"]), np.array(known["var"])',
        '            scaled = (seen[key] - mean) / np.sqrt(var + normaliser["epsilon"])',
        f"            result[key] = {clip}",
        "    return result",
        "",
        "",
    ]
