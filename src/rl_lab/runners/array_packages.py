"""A package of a policy that plays without its library: the checkpoint, plain arrays, ONNX, and an example.

What turbo and the offline learners share; each says which arrays its policy consists of and how they choose an action.
"""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.extras import EXTRAS, how_to_install
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.models.examples import EPISODE, environment_module, make_line, registration
from rl_lab.worker.runner import PackagedModel

MODEL, ARRAYS, ONNX = "model.safetensors", "policy.npz", "model.onnx"


def package_arrays(
    checkpoint: Path,
    config: TrainConfig,
    folder: Path,
    *,
    arrays: Mapping[str, Any],
    act: Sequence[str],
    export_onnx: Callable[[Path, Path], None],
) -> PackagedModel:
    """`act`: lines of the example, indented once, that make `action` of `observation` and the arrays `p`."""
    shutil.copyfile(checkpoint, folder / MODEL)
    np.savez(folder / ARRAYS, **arrays)
    files = {
        MODEL: "the checkpoint, which RL Lab continues or plays",
        ARRAYS: "the same policy as plain numpy arrays, which the example uses",
    }
    notes = []
    if importlib.util.find_spec("onnx"):
        export_onnx(checkpoint, folder / ONNX)
        files[ONNX] = "the same policy as an ONNX graph: observation → action"
    else:
        notes.append(f"Without {ONNX}: {EXTRAS['onnx'].purpose} is not installed. {how_to_install('onnx')}")
    env = make_environment(config.env_id, config.env_kwargs)
    try:
        example = _example(env, config, act)
        modules = filter(None, ["gymnasium", "numpy", environment_module(env)])
    finally:
        env.close()
    return PackagedModel(MODEL, files, example, library="rl-lab", packages=tuple(modules), notes=tuple(notes))


def _example(env: Any, config: TrainConfig, act: Sequence[str]) -> str:
    register = registration(env)
    lines = [
        *sorted([line for line in register if line.startswith("import")] + ["import gymnasium as gym"]),
        "import numpy as np",
        "",
        *(line for line in register if not line.startswith("import")),
        f'p = np.load("{ARRAYS}")',
        make_line(env, config.env_id, config.env_kwargs),
    ]
    return "\n".join(lines) + "\n" + EPISODE.format(act="\n".join(act), action="action")
