"""The arguments of a script as its networks need them: the defaults, and what its command line changed."""

from __future__ import annotations

import dataclasses
import itertools
import sys
from collections.abc import Mapping, Sequence
from typing import Any


def read_arguments(namespace: Mapping[str, Any]) -> Any:
    """What the script's `Args` or `parse_args` gives; None where it has neither, or they fail."""
    try:
        if "Args" in namespace:
            return _with_given(namespace["Args"](), sys.argv[1:])
        return namespace["parse_args"]() if "parse_args" in namespace else None
    except (Exception, SystemExit):  # code of the script may raise anything
        return None


def _with_given(arguments: Any, words: Sequence[str]) -> Any:
    """A dataclass with the values of `--n-atoms 21` or `--n-atoms=21`, in the type of the default."""
    if not dataclasses.is_dataclass(arguments):
        return arguments
    given = _given(words)
    for field in dataclasses.fields(arguments):
        default, text = getattr(arguments, field.name), given.get(field.name)
        if text is None or isinstance(default, bool) or not isinstance(default, (int, float, str)):
            continue
        object.__setattr__(arguments, field.name, type(default)(text))
    return arguments


def _given(words: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for word, following in itertools.pairwise([*words, ""]):
        if word.startswith("--"):
            name, is_joined, value = word[2:].partition("=")
            found[name.replace("-", "_")] = value if is_joined else following
    return found
