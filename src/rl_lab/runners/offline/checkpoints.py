"""An offline checkpoint: one safetensors file. Arrays are stored as tensors, everything else as JSON in the header.

The networks are there twice. Under `actor.<n>`, `critic1.<n>`, `critic2.<n>`, `value.<n>` (n as in a torch Sequential:
0, 2, 4) and `log_std` they take observations as the environment gives them and return values in its rewards: this is
what plays, is exported and starts other learners. Under `learner/` is all that a learner needs to continue exactly.
Nothing in the file is executed. This module needs no torch.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.checkpoint_states import join_state, split_state, to_plain
from rl_lab.runners.offline.spaces import LearnedSpaces

FORMAT = "rl-lab-offline"
VERSION = 1
F32 = NDArray[np.float32]
Layers = list[tuple[F32, F32]]
"""(weight of shape outputs × inputs, bias) of each layer, as in torch."""


@dataclass(frozen=True)
class OfflineHeader:
    """Algorithm, parameters and spaces of the tensors."""

    algorithm: str
    params: dict[str, Any]
    spaces: LearnedSpaces
    env_id: str
    env_kwargs: dict[str, Any]
    version: int = VERSION


def write_checkpoint(
    path: Path, header: OfflineHeader, networks: Mapping[str, Any], state: Mapping[str, Any]
) -> None:
    tensors: dict[str, NDArray[Any]] = {}
    numbers = split_state({**networks, **state}, "", tensors)
    about = {"format": FORMAT, **asdict(header), "state": numbers}
    save_file(tensors, path, metadata={"rl_lab": json.dumps(about, default=to_plain)})


def read_checkpoint(path: Path, *, only_networks: bool = False) -> tuple[OfflineHeader, dict[str, Any]]:
    """`only_networks`: without the learner's own state, which may hold many steps of an environment."""
    try:
        with safe_open(path, framework="numpy") as file:
            about = json.loads((file.metadata() or {})["rl_lab"])
            names = [name for name in file.keys() if not only_networks or "/" not in name]  # noqa: SIM118
            tensors = {name: file.get_tensor(name) for name in names}
    except (OSError, KeyError, ValueError, SafetensorError) as error:
        raise InvalidInput(
            f"{path.name} is not an offline checkpoint.", next_step="Choose a checkpoint of an offline run."
        ) from error
    if about.get("format") != FORMAT or about.get("version") != VERSION:
        raise InvalidInput(
            f"{path.name} has format version {about.get('version')}; this lab reads version {VERSION}.",
            next_step="Update the lab.",
        )
    spaces = about["spaces"]
    spaces["action_shape"] = tuple(spaces["action_shape"])
    header = OfflineHeader(
        about["algorithm"], about["params"], LearnedSpaces(**spaces), about["env_id"], about["env_kwargs"]
    )
    return header, join_state(about["state"], tensors)


def layers_of(state: Mapping[str, Any], name: str) -> Layers:
    """Of the network with this name; empty if there is none."""
    found: Layers = []
    while f"{name}.{2 * len(found)}.weight" in state:
        place = f"{name}.{2 * len(found)}"
        found.append((state[f"{place}.weight"], state[f"{place}.bias"]))
    return found


def critics_of(state: Mapping[str, Any]) -> list[Layers]:
    found: list[Layers] = []
    while layers := layers_of(state, f"critic{len(found) + 1}"):
        found.append(layers)
    return found


def run_layers(layers: Sequence[tuple[F32, F32]], x: F32) -> F32:
    """The outputs of a ReLU network."""
    for number, (weight, bias) in enumerate(layers):
        x = x @ weight.T + bias
        if number < len(layers) - 1:
            np.maximum(x, 0, out=x)
    return x
