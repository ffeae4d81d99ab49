"""A new model begins with the weights of a checkpoint: networks and observation statistics, nothing else of it.

The file is not unpickled: tensors are read with `weights_only`, statistics as plain arrays.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.offline.starting import find_networks
from rl_lab.runners.sb3.checkpoints import State, read_state, restore_observations
from rl_lab.runners.sb3.offline_weights import as_sb3

POLICY = "policy.pth"


def take_weights(model: Any, algorithm: str, checkpoint: Path) -> None:
    """InvalidInput when the weights are for other spaces or another network."""
    if zipfile.is_zipfile(checkpoint):
        weights, state = read_weights(checkpoint, model.device), read_state(checkpoint)
    elif (found := find_networks(checkpoint)) is not None:
        weights, state = as_sb3(found, algorithm, model.policy.state_dict()), {}
    else:
        weights, state = _turbo_weights(checkpoint, algorithm), {}
    _require_fit(weights, model)
    _require_statistics(state, model)
    model.policy.load_state_dict(weights)
    restore_observations(model.get_vec_normalize_env(), state)


def read_weights(checkpoint: Path, device: Any = "cpu") -> dict[str, Any]:
    """The tensors of the policy, by name."""
    with zipfile.ZipFile(checkpoint) as archive:
        if POLICY not in archive.namelist():
            raise InvalidInput.of_field(
                "start_from", "The file is not a model of Stable-Baselines3: it has no policy."
            )
        data = io.BytesIO(archive.read(POLICY))
    weights: dict[str, Any] = torch.load(data, map_location=device, weights_only=True)
    return weights


def _turbo_weights(checkpoint: Path, algorithm: str) -> dict[str, Any]:
    from rl_lab.runners.turbo.export import sb3_weights

    arrays = sb3_weights(checkpoint, algorithm)
    return {name: torch.from_numpy(np.ascontiguousarray(array)) for name, array in arrays.items()}


def _require_fit(weights: dict[str, Any], model: Any) -> None:
    """Names the first tensor that the model has with another shape, or that only one of them has."""
    wanted = {name: tuple(tensor.shape) for name, tensor in model.policy.state_dict().items()}
    found = {name: tuple(tensor.shape) for name, tensor in weights.items()}
    if wanted == found:
        return
    name = next(name for name in (*wanted, *found) if wanted.get(name) != found.get(name))
    raise InvalidInput.of_field(
        "start_from",
        f"The weights do not fit: {name} has the shape {_shape(found.get(name))} in the checkpoint and "
        f"{_shape(wanted.get(name))} here, where observations are {model.observation_space} and actions "
        f"{model.action_space}. Start from a run with the same spaces and the same network.",
    )


def _require_statistics(state: State, model: Any) -> None:
    has = any(name.startswith("observation:") for name in state)
    normaliser = model.get_vec_normalize_env()
    needs = normaliser is not None and normaliser.norm_obs
    if has != needs:
        message = f"The weights were trained {'with' if has else 'without'} normalize_observations."
        raise InvalidInput.of_field("params.normalize_observations", message, [has])


def _shape(shape: tuple[int, ...] | None) -> str:
    return "none" if shape is None else " × ".join(map(str, shape)) or "1"
