"""An offline checkpoint as a package: the arrays of its policy, and how the example chooses an action with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.array_packages import package_arrays
from rl_lab.runners.offline.checkpoints import Layers, OfflineHeader, read_checkpoint
from rl_lab.runners.offline.export import export_onnx, policy_layers
from rl_lab.worker.runner import PackagedModel


def package(checkpoint: Path, config: TrainConfig, folder: Path) -> PackagedModel:
    header, state = read_checkpoint(checkpoint, only_networks=True)
    layers = policy_layers(header, state)
    return package_arrays(
        checkpoint,
        config,
        folder,
        arrays=_arrays(header, layers),
        act=_act(header, len(layers)),
        export_onnx=export_onnx,
    )


def _arrays(header: OfflineHeader, layers: Layers) -> dict[str, Any]:
    arrays: dict[str, Any] = {}
    for number, (weight, bias) in enumerate(layers, 1):
        arrays |= {f"w{number}": weight.T, f"b{number}": bias}
    if not header.spaces.is_discrete:
        arrays |= {"middle": header.spaces.action_middle, "reach": header.spaces.action_reach}
    return arrays


def _act(header: OfflineHeader, layers: int) -> list[str]:
    spaces = header.spaces
    seen = "np.asarray(observation, np.float32).ravel()"
    if spaces.n_states:
        start = f" - {spaces.state_start}" if spaces.state_start else ""
        seen = f"np.eye({spaces.n_states}, dtype=np.float32)[observation{start}]"
    act = [f"    x = {seen}"]
    act += [f'    x = np.maximum(x @ p["w{n}"] + p["b{n}"], 0)' for n in range(1, layers)]
    act.append(f'    x = x @ p["w{layers}"] + p["b{layers}"]')
    act.append(_choice(header))
    return act


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
