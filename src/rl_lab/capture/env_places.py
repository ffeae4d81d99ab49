"""Where a script's code is when it steps an environment: inside a `reset`, and in the step of which vector environment.

Found by looking at the running functions, once per environment, so that vector environments of every library are
recognised: Gymnasium's, Stable-Baselines3's, Tianshou's or the script's own.
"""

from __future__ import annotations

from types import FrameType
from typing import Any, NamedTuple

COUNTS = ("num_envs", "env_num", "n_envs")
"""Attributes that hold the number of members of a vector environment."""
MAX_FRAMES = 60


class Place(NamedTuple):
    is_in_reset: bool
    """A wrapper steps the environment while it resets it (random no-ops at the start): not a step of the learner."""
    vector: Any = None
    """The vector environment that is executing its step; None when the script steps the environment itself."""
    members: int = 1


def find_place(frame: FrameType | None) -> Place:
    """Where the call came from that `frame` is in; outwards up to the first vector environment."""
    for _ in range(MAX_FRAMES):
        if frame is None:
            break
        owner = _owner(frame)
        if owner is not None:
            count = member_count(owner)
            if count is not None:
                return Place(False, owner, count)
            if frame.f_code.co_name == "reset":
                return Place(True)
        frame = frame.f_back
    return Place(False)


def member_count(owner: Any) -> int | None:
    """The number of members if this is a vector environment, else None."""
    for name in COUNTS:
        count = getattr(owner, "__dict__", {}).get(name)
        if type(count) is int and count > 0:
            return count
    return None


def _owner(frame: FrameType) -> Any:
    """The object whose method this is, if it is an environment or a vector of them."""
    code = frame.f_code
    if code.co_argcount == 0:
        return None
    owner = frame.f_locals.get(code.co_varnames[0])
    kind = type(owner)
    return owner if hasattr(kind, "step") and hasattr(kind, "reset") else None
