"""A turbo checkpoint as a package: the checkpoint, its policy as plain arrays, other libraries' forms, an example."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.extras import EXTRAS, how_to_install
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.turbo.checkpoints import Header, read_checkpoint
from rl_lab.runners.turbo.export import export_onnx, policy_layers
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.models.examples import EPISODE, environment_module, make_line, registration
from rl_lab.worker.runner import PackagedModel

MODEL, ARRAYS, ONNX = "model.safetensors", "policy.npz", "model.onnx"


def package(checkpoint: Path, config: TrainConfig, folder: Path) -> PackagedModel:
    header, state = read_checkpoint(checkpoint)
    shutil.copyfile(checkpoint, folder / MODEL)
    np.savez(folder / ARRAYS, **_arrays(header, state))
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
        example = _example(env, header, config)
        modules = filter(None, ["gymnasium", "numpy", environment_module(env)])
    finally:
        env.close()
    return PackagedModel(MODEL, files, example, library="rl-lab", packages=tuple(modules), notes=tuple(notes))


def _arrays(header: Header, state: dict[str, Any]) -> dict[str, Any]:
    """The layers that choose an action, with the scaling of observations folded in."""
    layers = policy_layers(header, state)
    arrays = {
        f"{name}{n}": part
        for n, layer in enumerate(layers, 1)
        for name, part in zip("wb", layer, strict=True)
    }
    if not header.env.is_discrete:
        arrays |= {"low": header.env.action_low, "high": header.env.action_high}
    return arrays


def _example(env: Any, header: Header, config: TrainConfig) -> str:
    register = registration(env)
    spec, activation = header.env, header.params["activation"]
    squash = "np.maximum({}, 0)" if activation == "relu" else "np.tanh({})"
    lines = [
        *sorted([line for line in register if line.startswith("import")] + ["import gymnasium as gym"]),
        "import numpy as np",
        "",
        *(line for line in register if not line.startswith("import")),
        f'p = np.load("{ARRAYS}")',
        make_line(config.env_id, config.env_kwargs),
    ]
    seen = "np.asarray(observation, np.float32).ravel()"
    if spec.n_states:
        seen = f"np.eye({spec.n_states}, dtype=np.float32)[observation]"
    first, second = seen + ' @ p["w1"] + p["b1"]', 'x @ p["w2"] + p["b2"]'
    act = [f"    x = {squash.format(first)}", f"    x = {squash.format(second)}"]
    if spec.is_discrete:
        start = f" + {spec.action_start}" if spec.action_start else ""
        act.append(f'    action = int(np.argmax(x @ p["w3"] + p["b3"])){start}')
    else:
        act.append('    action = np.clip(x @ p["w3"] + p["b3"], p["low"], p["high"])')
        if len(spec.action_shape) != 1:
            act[-1] += f".reshape({spec.action_shape})"
    return "\n".join(lines) + "\n" + EPISODE.format(act="\n".join(act), action="action")
