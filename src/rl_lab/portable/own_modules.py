"""Loads environments that the user wrote in the lab: in its workers and in captured scripts, all of them confined.

Standard library only; Gymnasium is the caller's.
"""

from __future__ import annotations

import os
import re
import sys
from types import ModuleType
from typing import Any

from rl_lab.core.own_environments import MAIN_FILE, OWN_ENVIRONMENTS, OwnEnvironment

CHOSEN = "ENVIRONMENT"
"""The name by which a file with several environments says which one it is."""
_loaded: dict[OwnEnvironment, ModuleType] = {}


def find_own_folder(own: OwnEnvironment) -> str | None:
    """None when this process does not know the folder, or when the lab has no such version."""
    home = os.environ.get(OWN_ENVIRONMENTS)
    folder = os.path.join(home, own.slug, f"v{own.version}") if home else ""
    return folder if folder and os.path.isfile(os.path.join(folder, MAIN_FILE)) else None


def load_module(own: OwnEnvironment, folder: str) -> ModuleType:
    """Executes the code of this version, once."""
    import importlib.util

    if own in _loaded:
        return _loaded[own]
    name = re.sub(r"\W", "_", f"own_{own.slug}_v{own.version}")
    main = os.path.join(folder, MAIN_FILE)
    spec = importlib.util.spec_from_file_location(name, main, submodule_search_locations=[folder])
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Classes are pickled and found by the name of their module; other files of a package are imported from there.
    sys.modules[name] = module
    sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(folder)
    _loaded[own] = module
    return module


def register_module(gymnasium: Any, known_as: str, module: ModuleType) -> None:
    """Makes its environment known to Gymnasium; LookupError when it has none."""
    if known_as in gymnasium.registry:
        return
    gymnasium.register(
        id=known_as,
        entry_point=find_class(module, gymnasium, gymnasium.Env, CHOSEN),
        max_episode_steps=getattr(module, "MAX_EPISODE_STEPS", None),
        reward_threshold=getattr(module, "REWARD_THRESHOLD", None),
        disable_env_checker=True,
    )


def find_class(module: ModuleType, gymnasium: Any, base: type, chosen: str) -> Any:
    """The class of this kind that the module names as `chosen`, or the last one; LookupError when it has none."""
    named = getattr(module, chosen, None)
    if isinstance(named, type) and issubclass(named, base):
        return named
    found = classes_in(module, gymnasium, base)
    if not found:
        raise LookupError(f"The code defines no class that is derived from gymnasium.{base.__name__}.")
    return found[-1]


def classes_in(module: ModuleType, gymnasium: Any, base: type) -> list[Any]:
    """Those that the module itself defines; a wrapper is an environment too, but not one to train in."""
    return [
        one
        for one in vars(module).values()
        if isinstance(one, type)
        and issubclass(one, base)
        and one.__module__ == module.__name__
        and (base is gymnasium.Wrapper or not issubclass(one, gymnasium.Wrapper))
    ]
