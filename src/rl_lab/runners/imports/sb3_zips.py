"""A zip of Stable-Baselines3, of any version: its tensors, and its settings as far as they are plain JSON.

`data` holds most objects as pickles in base64; they are never decoded. What the lab needs is also there as text, or
follows from the shapes of the tensors.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.runners.imports.files import MAX_TEXT_BYTES, member_file, open_zip, read_member
from rl_lab.runners.imports.found_models import FoundModel
from rl_lab.runners.imports.refusals import refused
from rl_lab.runners.imports.tensors import read_torch, require_state_dict

LAB_STATE, OBSERVATION, REWARD = "rl_lab_state.npz", "observation:_", "reward_"
POLICY, DATA = "policy.pth", "data"
MEMBERS = frozenset({DATA, POLICY})
ACTIVATIONS = {"Tanh": "tanh", "ReLU": "relu", "ELU": "elu", "LeakyReLU": "leaky_relu"}
ACTIVATION = re.compile(r"activation\.(\w+)'")
MAX_STEPS = 10**12


def read_sb3(path: Path, name: str, wanted: str | None) -> FoundModel:
    with open_zip(path, name) as archive:
        names = set(archive.namelist())
        if "parameter_list" in names or "parameters" in names:
            raise refused(
                f"“{name}” was saved by Stable Baselines 2 (TensorFlow), which the lab cannot read.",
                "Train it again with Stable-Baselines3, or export its policy as ONNX.",
            )
        data = _read_data(read_member(archive, DATA, MAX_TEXT_BYTES), name)
        tensors = require_state_dict(read_torch(member_file(archive, POLICY), POLICY), POLICY)
        normaliser = _own_normaliser(archive)
    _refuse_other_libraries(data, name)
    tensors = _without_shared_layers(tensors)
    algorithm = _algorithm(tensors, data, name)
    if wanted and wanted.lower() != algorithm and {wanted.lower(), algorithm} != {"ppo", "a2c"}:
        raise refused(
            f"“{name}” is a model of {algorithm.upper()}, not of {wanted.upper()}.", "Leave --algorithm out."
        )
    found = FoundModel("sb3", wanted.lower() if wanted else algorithm, tensors)
    found.settings = {
        key: value for key, value in data.items() if isinstance(value, bool | int | float | str)
    }
    found.activation = _activation(data.get("policy_kwargs"), name)
    found.timesteps = _steps(data.get("num_timesteps"))
    found.normaliser = normaliser
    _read_spaces(found, data)
    return found


def _own_normaliser(archive: zipfile.ZipFile) -> dict[str, Any] | None:
    """The scaling of a checkpoint that another lab saved, which keeps it in plain arrays."""
    if LAB_STATE not in archive.namelist():
        return None
    data = read_member(archive, LAB_STATE)
    with open_zip(io.BytesIO(data), LAB_STATE):
        pass
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            kept = {key: arrays[key] for key in arrays.files if key.startswith((OBSERVATION, REWARD))}
    except (ValueError, OSError, KeyError, EOFError) as error:
        raise refused(f"The member “{LAB_STATE}” is damaged: {error}.") from None
    found: dict[str, Any] = {
        "observation": _part(kept, OBSERVATION),
        "reward": _part(kept, REWARD),
        "notes": [],
    }
    return found if found["observation"] or found["reward"] else None


def _part(kept: dict[str, Any], prefix: str) -> tuple[Any, Any, float] | None:
    if f"{prefix}mean" not in kept or f"{prefix}var" not in kept:
        return None
    mean, var = (np.asarray(kept[f"{prefix}{key}"], np.float64) for key in ("mean", "var"))
    if mean.shape != var.shape or not np.isfinite(mean).all() or not np.isfinite(var).all():
        raise refused(f"The member “{LAB_STATE}” holds a scaling that is not finite.")
    return mean, var, float(np.asarray(kept.get(f"{prefix}count", 1.0)))


def _read_data(text: bytes, name: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refused(f"“{name}” is damaged: its settings are not JSON ({type(error).__name__}).") from None
    if not isinstance(data, dict):
        raise refused(f"“{name}” is damaged: its settings are not an object.")
    return data


def _refuse_other_libraries(data: dict[str, Any], name: str) -> None:
    policy = data.get("policy_class")
    module = str(policy.get("__module__", "")) if isinstance(policy, dict) else ""
    if module and not module.startswith("stable_baselines3."):
        raise refused(
            f"“{name}” has a policy class of “{module}”; the lab rebuilds those of Stable-Baselines3 only.",
            "Export its policy as ONNX, which the lab can evaluate.",
        )


def _without_shared_layers(tensors: dict[str, Any]) -> dict[str, Any]:
    """Before version 2 actor and critic could share layers; each gets a copy, which computes the same."""
    shared = "mlp_extractor.shared_net."
    numbers = {int(key.removeprefix(shared).split(".")[0]) for key in tensors if key.startswith(shared)}
    if not numbers:
        return tensors
    shift = max(numbers) + 2
    found: dict[str, Any] = {}
    for key, tensor in tensors.items():
        for net in ("policy_net", "value_net"):
            own = f"mlp_extractor.{net}."
            if key.startswith(shared):
                found[own + key.removeprefix(shared)] = tensor.clone()
            elif key.startswith(own):
                number, rest = key.removeprefix(own).split(".", 1)
                found[f"{own}{int(number) + shift}.{rest}"] = tensor
        if not key.startswith("mlp_extractor."):
            found[key] = tensor
    return found


def _algorithm(tensors: dict[str, Any], data: dict[str, Any], name: str) -> str:
    if any(key.startswith("q_net.") for key in tensors):
        return "dqn"
    if "actor.log_std.weight" in tensors:
        return "sac"
    if any(key.startswith("actor.mu.") for key in tensors):
        return "td3"
    if "action_net.weight" in tensors:
        return "ppo" if "n_epochs" in data or "clip_range" in data else "a2c"
    raise refused(
        f"“{name}” holds a network that the lab does not know; it reads PPO, A2C, DQN, SAC and TD3.",
        "Export its policy as ONNX, which the lab can evaluate.",
    )


def _activation(arguments: Any, name: str) -> str | None:
    """From the text next to the pickled class."""
    text = str(arguments.get("activation_fn", "")) if isinstance(arguments, dict) else ""
    if not text:
        return None
    named = ACTIVATION.search(text)
    if named is None or named.group(1) not in ACTIVATIONS:
        raise refused(
            f"“{name}” has the activation {text[:100]}; the lab knows {', '.join(ACTIVATIONS)}.",
            "Export its policy as ONNX, which the lab can evaluate.",
        )
    return ACTIVATIONS[named.group(1)]


def _read_spaces(found: FoundModel, data: dict[str, Any]) -> None:
    observation, action = data.get("observation_space"), data.get("action_space")
    if isinstance(observation, dict) and ".box." in str(observation.get(":type:", "")):
        found.observation = _shape(observation)
    if not isinstance(action, dict):
        return
    kind = str(action.get(":type:", ""))
    if ".discrete." in kind:
        found.is_discrete, found.action_size = True, _steps(_number(action.get("n")))
    elif ".box." in kind:
        shape = _shape(action)
        found.is_discrete, found.action_size = False, shape[0] if shape and len(shape) == 1 else None


def _shape(space: dict[str, Any]) -> tuple[int, ...] | None:
    shape = space.get("_shape", space.get("shape"))
    is_shape = isinstance(shape, list) and len(shape) < 8 and all(isinstance(n, int) for n in shape)
    return tuple(shape) if is_shape and isinstance(shape, list) else None


def _number(value: Any) -> Any:
    """Numbers of numpy are stored as text."""
    return (
        int(value)
        if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10
        else value
    )


def _steps(value: Any) -> int:
    return value if isinstance(value, int) and 0 <= value <= MAX_STEPS else 0
