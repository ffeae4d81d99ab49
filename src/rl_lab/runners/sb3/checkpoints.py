"""A checkpoint is the library's own zip (`PPO.load` opens it) with one additional member for the lab.

That member contains plain arrays and JSON, no pickle: normaliser statistics, random states, the best score so far.
"""

from __future__ import annotations

import io
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import torch

MEMBER = "rl_lab_state.npz"
PROGRESS = "_update_current_progress_remaining"
"""The library's method that schedules depend on; replaced in runs that do not end by steps."""

State = dict[str, Any]


def save_model(model: Any, path: Path, best: dict[str, Any] | None = None) -> None:
    """Writes a complete checkpoint to exactly this path."""
    model.save(path, exclude=["train", PROGRESS])
    arrays, notes = _random_state(model)
    arrays |= _normaliser_state(model.get_vec_normalize_env())
    notes["best"] = best
    arrays["notes"] = np.frombuffer(json.dumps(notes, default=_plain).encode(), np.uint8)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(MEMBER, buffer.getvalue())


def read_state(path: Path) -> State:
    """The contents of the lab's member; empty for a model that was not saved by the lab."""
    with zipfile.ZipFile(path) as archive:
        if MEMBER not in archive.namelist():
            return {}
        with np.load(io.BytesIO(archive.read(MEMBER)), allow_pickle=False) as arrays:
            state: State = {name: arrays[name] for name in arrays.files}
    return {**state, **json.loads(state.pop("notes").tobytes())}


def restore_state(model: Any, state: State) -> None:
    """Restores the random generators and the normaliser."""
    if not state:
        return
    restore_normaliser(model.get_vec_normalize_env(), state)
    torch.set_rng_state(torch.from_numpy(state["torch"]))
    name, *rest = state["numpy_position"]
    np.random.set_state((name, state["numpy_keys"], *rest))
    version, internal, following = state["python"]
    random.setstate((version, tuple(internal), following))
    model.action_space.np_random.bit_generator.state = state["action_space"]


def _random_state(model: Any) -> tuple[State, State]:
    """SB3 draws from four generators: torch's, numpy's global one, Python's and the action space's."""
    name, keys, *rest = np.random.get_state()
    arrays = {"torch": torch.get_rng_state().numpy(), "numpy_keys": np.asarray(keys)}
    notes = {
        "numpy_position": [name, *rest],
        "python": random.getstate(),
        "action_space": model.action_space.np_random.bit_generator.state,
    }
    return arrays, notes


def _plain(value: Any) -> Any:
    return value.tolist()


def _normaliser_state(normaliser: Any) -> State:
    if normaliser is None:
        return {}
    arrays: State = {"returns": normaliser.returns}
    for name, statistics in _statistics(normaliser):
        arrays[f"{name}_mean"], arrays[f"{name}_var"] = statistics.mean, statistics.var
        arrays[f"{name}_count"] = np.asarray(statistics.count)
    return arrays


def restore_normaliser(normaliser: Any, state: State) -> None:
    if normaliser is None or "returns" not in state:
        return
    normaliser.returns = state["returns"].copy()
    _restore_statistics(_statistics(normaliser), state)


def restore_observations(normaliser: Any, state: State) -> None:
    """What observations were like; rewards may be others in the new run."""
    if normaliser is not None:
        _restore_statistics([one for one in _statistics(normaliser) if one[0] != "reward"], state)


def _restore_statistics(found: list[tuple[str, Any]], state: State) -> None:
    for name, statistics in found:
        statistics.mean, statistics.var = state[f"{name}_mean"], state[f"{name}_var"]
        statistics.count = float(state[f"{name}_count"])


def _statistics(normaliser: Any) -> list[tuple[str, Any]]:
    found = [("reward", normaliser.ret_rms)]
    if normaliser.norm_obs:
        seen = normaliser.obs_rms
        parts = seen if isinstance(seen, dict) else {"": seen}
        found += [(f"observation:{key}", statistics) for key, statistics in parts.items()]
    return found
