"""Environments and wrappers that the user wrote: loaded only in confined processes, which know their folder."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.own_environments import OWN_ENVIRONMENTS, OwnEnvironment, read_code_name, read_own_id
from rl_lab.portable.own_modules import (
    CHOSEN,
    classes_in,
    find_class,
    find_own_folder,
    is_approved,
    register_module,
)
from rl_lab.portable.own_modules import load_module as load_from


def register_own(env_id: str) -> str:
    """Executes the code of this version once, and returns the id by which Gymnasium knows its environment."""
    import gymnasium

    own = read_own_id(env_id)
    if own is None:
        raise InvalidInput.of_field("env_id", f"“{env_id}” is not an environment of your own: own:NAME-vN.")
    try:
        return register_module(gymnasium, own, load_module(own))
    except LookupError as error:
        raise InvalidInput.of_field("source", str(error)) from None


def load_wrapper(written: str, class_name: str) -> Any:
    """The wrapper class in saved code, named as NAME@vN."""
    import gymnasium

    own = read_code_name(written)
    if own is None:
        raise InvalidInput.of_field("env_kwargs.wrappers", f"“{written}” names no version; write NAME@v2.")
    module = load_module(own)
    if class_name:
        found = getattr(module, class_name, None)
        if not (isinstance(found, type) and issubclass(found, gymnasium.Wrapper)):
            raise InvalidInput.of_field(
                "env_kwargs.wrappers", f"{written} has no wrapper class “{class_name}”."
            )
        return found
    try:
        return find_class(module, gymnasium, gymnasium.Wrapper, "WRAPPER")
    except LookupError as error:
        raise InvalidInput.of_field("source", str(error)) from None


def load_module(own: OwnEnvironment) -> ModuleType:
    return load_from(own, str(own_folder(own)))


def has_environment(module: ModuleType) -> bool:
    import gymnasium

    return bool(classes_in(module, gymnasium, gymnasium.Env)) or CHOSEN in vars(module)


def has_wrapper(module: ModuleType) -> bool:
    import gymnasium

    return bool(classes_in(module, gymnasium, gymnasium.Wrapper))


def own_folder(own: OwnEnvironment) -> Path:
    if not os.environ.get(OWN_ENVIRONMENTS):
        raise NotReady(
            f"own:{own.slug}-v{own.version} is code of a user, and this process is not confined.",
            cause="not-confined",
            next_step="Use Linux 5.13 or newer with Landlock; `rl-lab doctor` shows what this machine can confine.",
        )
    if not is_approved(own):
        raise NotReady(
            f"own:{own.slug}-v{own.version} is not approved, and this machine cannot confine the code of a user.",
            cause="not-approved",
            next_step="Read its code, then approve it: train in it, or `rl-lab own-environments check FILE`.",
        )
    folder = find_own_folder(own)
    if folder is None:
        raise NotReady(
            f"The code of own:{own.slug}-v{own.version} is not in this lab.",
            cause="missing-environment",
            next_step="`rl-lab own-environments` lists yours; add its file again, or unpack its run.",
        )
    return Path(folder)
