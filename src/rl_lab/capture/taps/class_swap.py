"""A disguise gives one object methods of ours while it stays what it was for everybody who looks at it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any


def disguise(env: Any, methods: dict[str, Any]) -> bool:
    """Give one object these methods and leave everything else about it as it is; a copy of it is a bare one.

    A wrapper would be seen: by `isinstance`, by attributes that are read or set, by `env.spec`.
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
        # Behind a partial pickle does not insist that the copy be of the class it sees.
        return (partial(made[0]), *made[1:])

    new_class: Any = type(bare)
    own = {"__reduce_ex__": reduced, "__module__": bare.__module__, "__qualname__": bare.__qualname__}
    copied = {name: _copied_bare(bare, name) for name in _own_copying(bare)}
    try:
        env.__class__ = new_class(
            bare.__name__, (bare,), {**own, **copied, **methods, "__doc__": bare.__doc__}
        )
    except TypeError:
        return False  # a class in C, or one that forbids it
    return True


def _own_copying(bare: type) -> Iterable[str]:
    return (name for name in ("__copy__", "__deepcopy__") if hasattr(bare, name))


def _copied_bare(bare: type, name: str) -> Any:
    def copied(self: Any, *arguments: Any) -> Any:
        swapped = type(self)
        self.__class__ = bare
        try:
            return getattr(self, name)(*arguments)
        finally:
            self.__class__ = swapped

    return copied
