"""A checkpoint is the library's own zip (`PPO.load` opens it) with one additional member for the lab.

That member contains plain arrays and JSON, no pickle: normaliser statistics, random states, the unfinished episodes.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.runners.sb3.random_states import random_state

MEMBER = "rl_lab_state.npz"
BETWEEN = "//"
"""Between the names of nested arrays; parts of observations may have a single slash in theirs."""
PROGRESS = "_update_current_progress_remaining"
"""The library's method that schedules depend on; replaced in runs that do not end by steps."""
REPLACED = ["train", "collect_rollouts", "_sample_action", PROGRESS]
"""Methods of a model that the lab replaces; a saved model has the library's own."""

State = dict[str, Any]


def save_model(model: Any, path: Path, training: State) -> None:
    """Writes a complete checkpoint to exactly this path; `training` is what the model itself does not contain."""
    model.save(path, exclude=REPLACED)
    state = {
        **_normaliser_state(model.get_vec_normalize_env()),
        "random": random_state(model),
        "training": {**training, "device": model.device.type},
    }
    arrays: State = {}
    notes = _split(state, "", arrays)
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
            found: State = {name: arrays[name] for name in arrays.files}
    return _join(json.loads(found.pop("notes").tobytes()), found)


def _split(state: State, prefix: str, arrays: State) -> State:
    """Moves arrays into `arrays` under their path; the rest is returned, as JSON takes it."""
    left: State = {}
    for name, value in state.items():
        if isinstance(value, np.ndarray):
            arrays[prefix + name] = value
        else:
            left[name] = (
                _split(value, f"{prefix}{name}{BETWEEN}", arrays) if isinstance(value, dict) else value
            )
    return left


def _join(notes: State, arrays: State) -> State:
    for path, value in arrays.items():
        *folders, name = path.split(BETWEEN)
        target = notes
        for folder in folders:
            target = target.setdefault(folder, {})
        target[name] = value
    return notes


def _plain(value: Any) -> Any:
    return value.tolist()


def _normaliser_state(normaliser: Any) -> State:
    if normaliser is None:
        return {}
    arrays: State = {"returns": normaliser.returns}
    for name, statistics in _statistics(normaliser):
        for figure in ("mean", "var", "count"):
            arrays[f"{name}_{figure}"] = np.asarray(getattr(statistics, figure))
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
