"""Environments that the user wrote in the lab, for scripts: `gymnasium.make("own:grid-v2")` finds them."""

from __future__ import annotations

from typing import Any

from rl_lab.core.own_environments import read_own_id
from rl_lab.portable.own_modules import find_own_folder, load_module, register_module, written_id


def known_id(gymnasium: Any, env_id: Any) -> Any:
    """Executes the code that the id names; returns the id by which Gymnasium knows it.

    Ids of other environments, and of versions that do not exist, are left to Gymnasium, which says what is wrong.
    """
    own = read_own_id(env_id) if isinstance(env_id, str) else None
    folder = find_own_folder(own) if own is not None else None
    if own is None or folder is None:
        return env_id
    return register_module(gymnasium, own, load_module(own, folder))


def find_own_id(env_id: str) -> str | None:
    """The lab's id of an environment of the user, from either id; None for any other."""
    written = written_id(env_id)
    own = read_own_id(written)
    return written if own is not None and find_own_folder(own) is not None else None
