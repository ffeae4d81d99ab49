"""An offline checkpoint as a package: the checkpoint, its policy as plain arrays and as ONNX, and an example."""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.extras import EXTRAS, how_to_install
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.offline.checkpoints import OfflineHeader, read_checkpoint
from rl_lab.runners.offline.export import export_onnx, policy_layers
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.models.examples import EPISODE, environment_module, make_line, registration
from rl_lab.worker.runner import PackagedModel

MODEL, ARRAYS, ONNX = "model.safetensors", "policy.npz", "model.onnx"


def package(checkpoint: Path, config: TrainConfig, folder: Path) -> PackagedModel:
    header, state = read_checkpoint(checkpoint, only_networks=True)
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
        example = _example(env, header, config, len(policy_layers(header, state)))
        modules = filter(None, ["gymnasium", "numpy", environment_module(env)])
    finally:
        env.close()
    return PackagedModel(MODEL, files, example, library="rl-lab", packages=tuple(modules), notes=tuple(notes))


def _arrays(header: OfflineHeader, state: dict[str, Any]) -> dict[str, Any]:
    arrays: dict[str, Any] = {}
    for number, (weight, bias) in enumerate(policy_layers(header, state), 1):
        arrays |= {f"w{number}": weight.T, f"b{number}": bias}
    if not header.spaces.is_discrete:
        arrays |= {"middle": header.spaces.action_middle, "reach": header.spaces.action_reach}
    return arrays


def _example(env: Any, header: OfflineHeader, config: TrainConfig, layers: int) -> str:
    register, spaces = registration(env), header.spaces
    lines = [
        *sorted([line for line in register if line.startswith("import")] + ["import gymnasium as gym"]),
        "import numpy as np",
        "",
        *(line for line in register if not line.startswith("import")),
        f'p = np.load("{ARRAYS}")',
        make_line(config.env_id, config.env_kwargs),
    ]
    seen = "np.asarray(observation, np.float32).ravel()"
    if spaces.n_states:
        start = f" - {spaces.state_start}" if spaces.state_start else ""
        seen = f"np.eye({spaces.n_states}, dtype=np.float32)[observation{start}]"
    act = [f"    x = {seen}"]
    act += [f'    x = np.maximum(x @ p["w{n}"] + p["b{n}"], 0)' for n in range(1, layers)]
    act.append(f'    x = x @ p["w{layers}"] + p["b{layers}"]')
    act.append(_choice(header))
    return "\n".join(lines) + "\n" + EPISODE.format(act="\n".join(act), action="action")


def _choice(header: OfflineHeader) -> str:
    spaces = header.spaces
    if spaces.is_discrete:
        start = f" + {spaces.action_start}" if spaces.action_start else ""
        return f"    action = int(np.argmax(x)){start}"
    line = f'    action = p["middle"] + p["reach"] * np.tanh(x[:{spaces.action_size}])'
    return (
        line
        if len(spaces.action_shape) == 1
        else f"{line}\n    action = action.reshape({spaces.action_shape})"
    )
