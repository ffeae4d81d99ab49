"""Gives one object additional methods by changing its class, so that the script does not notice."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any


def swap_class(env: Any, methods: dict[str, Any]) -> bool:
    """Give one object these methods and change nothing else; a copy of it has its original class. False if impossible.

    A wrapper would be visible to the script: in `isinstance`, in attributes that are read or set, in `env.spec`.
    """
    bare = type(env)

    def reduced(self: Any, protocol: Any) -> Any:
        swapped = type(self)
        self.__class__ = bare
        try:
            made = self.__reduce_ex__(protocol)
        finally:
            self.__class__ = swapped
        if isinstance(made, str):
            return made
        # With a partial, pickle does not check that the copy has the class it sees.
        return (partial(made[0]), *made[1:])

    new_class: Any = type(bare)
    own = {"__reduce_ex__": reduced, "__module__": bare.__module__, "__qualname__": bare.__qualname__}
    copied = {name: _copy_with_original_class(bare, name) for name in _copy_methods(bare)}
    try:
        env.__class__ = new_class(
            bare.__name__, (bare,), {**own, **copied, **methods, "__doc__": bare.__doc__}
        )
    except TypeError:
        return False  # a class in C, or one that does not allow it
    return True


def _copy_methods(bare: type) -> Iterable[str]:
    return (name for name in ("__copy__", "__deepcopy__") if hasattr(bare, name))


def _copy_with_original_class(bare: type, name: str) -> Any:
    def copied(self: Any, *arguments: Any) -> Any:
        swapped = type(self)
        self.__class__ = bare
        try:
            return getattr(self, name)(*arguments)
        finally:
            self.__class__ = swapped

    return copied
