"""Environments that the user wrote in the lab, for scripts: `gymnasium.make("own:grid-v2")` finds them.

Gymnasium takes what is before the colon for a module that registers the rest; that module is empty here.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from rl_lab.core.own_environments import PREFIX, read_own_id
from rl_lab.portable.own_modules import find_own_folder, load_module, register_module


def register_if_own(gymnasium: Any, env_id: Any) -> None:
    """Executes the code that the id names; ids of other environments, and of versions that do not exist, are left
    to Gymnasium, which says what is wrong."""
    own = read_own_id(env_id) if isinstance(env_id, str) else None
    folder = find_own_folder(own) if own is not None else None
    if own is None or folder is None:
        return
    sys.modules.setdefault(PREFIX.rstrip(":"), ModuleType(PREFIX.rstrip(":")))
    register_module(gymnasium, f"{own.slug}-v{own.version}", load_module(own, folder))
