"""A turbo checkpoint: one safetensors file. Arrays are stored as tensors, everything else as JSON in the header.

Nothing in it is executed. It contains all that a policy needs to act and a learner needs to continue exactly.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.checkpoint_states import join_state, split_state, to_plain
from rl_lab.runners.turbo.envs import EnvSpec

FORMAT = "rl-lab-turbo"
VERSION = 1


@dataclass(frozen=True)
class Header:
    """Algorithm, parameters and environment of the tensors."""

    algorithm: str
    params: dict[str, Any]
    env: EnvSpec
    version: int = VERSION


def write_checkpoint(path: Path, header: Header, state: dict[str, Any]) -> None:
    tensors: dict[str, NDArray[Any]] = {}
    numbers = split_state(state, "", tensors)
    about = {"format": FORMAT, **asdict(header), "state": numbers}
    save_file(tensors, path, metadata={"rl_lab": json.dumps(about, default=to_plain)})


def read_checkpoint(path: Path) -> tuple[Header, dict[str, Any]]:
    try:
        with safe_open(path, framework="numpy") as file:
            about = json.loads((file.metadata() or {})["rl_lab"])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, KeyError, ValueError, SafetensorError) as error:
        raise InvalidInput(
            f"{path.name} is not a turbo checkpoint.", next_step="Choose a checkpoint of a turbo run."
        ) from error
    if about.get("format") != FORMAT or about.get("version") != VERSION:
        raise InvalidInput(
            f"{path.name} has format version {about.get('version')}; this lab reads version {VERSION}.",
            next_step="Update the lab.",
        )
    env = about["env"]
    for bound in ("action_low", "action_high"):
        env[bound] = np.array(env[bound], np.float32)
    header = Header(about["algorithm"], about["params"], EnvSpec(**env))
    return header, join_state(about["state"], tensors)
