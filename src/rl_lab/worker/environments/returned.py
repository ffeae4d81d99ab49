"""What reset() and step() of an environment returned: refused or described so that its author can correct it."""

from __future__ import annotations

from typing import Any

import numpy as np

STEP = "observation, reward, terminated, truncated and info"
MOST_SHOWN = 100
"""Characters of an observation."""


class WrongResult(Exception):
    """An environment returned something that nothing can be learned from."""

    def __init__(self, method: str, message: str) -> None:
        super().__init__(message)
        self.method = method
        """The one that returned it."""


def require_reset_result(result: Any) -> None:
    if not isinstance(result, tuple) or len(result) != 2:
        raise WrongResult("reset", f"reset() must return observation and info; it returned {_shown(result)}.")


def require_step_result(result: Any) -> tuple[Any, Any, Any, Any, Any]:
    if not isinstance(result, tuple) or len(result) != 5:
        raise WrongResult("step", f"step() must return {STEP}; it returned {_shown(result)}.")
    if not _is_number(result[1]):
        raise WrongResult(
            "step", f"The reward must be a number; step() returned {_shown(result[1])} as reward."
        )
    return result


def describe_outside(observation: Any, space: Any, step: int) -> str:
    """Why an observation does not belong to the space, or nothing; WrongResult when it has another shape."""
    if space is None or space.contains(observation):
        return ""
    shape, found = getattr(space, "shape", None), np.shape(observation) if _is_plain(observation) else None
    if shape is not None and found is not None and found != shape:
        raise WrongResult(
            "step", f"The observation of step {step} has the shape {found}; observation_space has {shape}."
        )
    if _has_other_type(observation, space):
        return f"Observations have the type {observation.dtype}; observation_space has {space.dtype}."
    shown = str(observation).replace("\n", " ")[:MOST_SHOWN]
    return f"The observation of step {step} is not in observation_space, {space}: {shown}"


def _has_other_type(observation: Any, space: Any) -> bool:
    """Whether only its type keeps it out of the space."""
    if not isinstance(observation, np.ndarray) or space.dtype is None or observation.dtype == space.dtype:
        return False
    return bool(space.contains(observation.astype(space.dtype)))


def _is_number(reward: Any) -> bool:
    return isinstance(reward, int | float | np.number | np.bool_) or (
        isinstance(reward, np.ndarray) and reward.shape == () and reward.dtype.kind in "biuf"
    )


def _is_plain(observation: Any) -> bool:
    return isinstance(observation, np.ndarray | np.generic | int | float)


def _shown(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    return f"{len(value)} values" if isinstance(value, tuple) else f"a value of type {type(value).__name__}"
