"""A turbo checkpoint as a package: the arrays of its policy, and how the example chooses an action with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.array_packages import package_arrays
from rl_lab.runners.turbo.checkpoints import Header, read_checkpoint
from rl_lab.runners.turbo.export import export_onnx, policy_layers
from rl_lab.worker.runner import PackagedModel


def package(checkpoint: Path, config: TrainConfig, folder: Path) -> PackagedModel:
    header, state = read_checkpoint(checkpoint)
    return package_arrays(
        checkpoint, config, folder, arrays=_arrays(header, state), act=_act(header), export_onnx=export_onnx
    )


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


def _act(header: Header) -> list[str]:
    spec, activation = header.env, header.params["activation"]
    squash = "np.maximum({}, 0)" if activation == "relu" else "np.tanh({})"
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
    return act
