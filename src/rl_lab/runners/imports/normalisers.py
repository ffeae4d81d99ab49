"""The statistics of a `vec_normalize.pkl`: means and variances as arrays, nothing else of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_lab.runners.imports.inert_pickles import InertObject, read_pickle
from rl_lab.runners.imports.refusals import refused

MAX_BYTES = 256 << 20


def read_normaliser(data: bytes, name: str) -> dict[str, Any]:
    """`observation` and `reward`: (mean, var, count) each; `observation` is None when only rewards are scaled."""
    found, names = read_pickle(data[:MAX_BYTES], name)
    if not any(cls == "VecNormalize" for _, cls in names):
        raise refused(f"“{name}” is not a VecNormalize of Stable-Baselines3.")
    state = found.state
    scales = bool(state.get("norm_obs", True))
    observation = state.get("obs_rms")
    if scales and not isinstance(observation, InertObject):
        raise refused(
            f"“{name}” scales observations that have several parts, which the lab does not import.",
            "Import the model without it, if it was trained without scaling.",
        )
    return {
        "observation": _statistics(observation, name) if scales else None,
        "reward": _statistics(state.get("ret_rms"), name) if state.get("norm_reward", True) else None,
        "notes": _notes(state, name),
    }


def _statistics(found: Any, name: str) -> tuple[Any, Any, float]:
    state = found.state if isinstance(found, InertObject) else {}
    mean, var, count = (state.get(key) for key in ("mean", "var", "count"))
    if not isinstance(mean, np.ndarray | float) or not isinstance(var, np.ndarray | float):
        raise refused(f"“{name}” holds no means and variances.")
    mean, var = np.asarray(mean, np.float64), np.asarray(var, np.float64)
    is_sane = (
        mean.shape == var.shape and np.isfinite(mean).all() and np.isfinite(var).all() and (var >= 0).all()
    )
    if not is_sane:
        raise refused(f"“{name}” holds means and variances that do not fit or are not finite.")
    return mean, var, float(count) if isinstance(count, int | float) else 1.0


def _notes(state: dict[str, Any], name: str) -> list[str]:
    usual = {"clip_obs": 10.0, "epsilon": 1e-8}
    odd = [f"{key} = {state[key]}" for key, value in usual.items() if state.get(key, value) != value]
    if not odd:
        return []
    return [
        f"{name} was made with {' and '.join(odd)}; the lab uses 10 and 1e-8, so actions may differ a little."
    ]
