"""An Argument of a script's command line, and how a value is spelled there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, Literal

from rl_lab.core.errors import InvalidInput

Spelling = Literal["value", "switch", "store_true", "store_false"]
"""value: `--name VALUE`; switch: `--name` and `--no-name`; the others as argparse calls them."""


class Required:
    """Stands for the default of an argument that has none."""


REQUIRED: Final = Required()


@dataclass(frozen=True, slots=True)
class Argument:
    name: str
    """As the script's own code calls it."""
    type: Any
    default: Any
    """REQUIRED when the script has none."""
    description: str
    spelling: Spelling = "value"
    flag: str = ""
    """As written on the command line; made from the name when empty."""


def spell(argument: Argument, value: Any) -> list[str]:
    """The words that give an argument this value."""
    flag = argument.flag or flag_of(argument.name)
    if argument.spelling == "switch":
        return [flag if value else f"--no-{flag[2:]}"]
    if argument.spelling in ("store_true", "store_false"):
        return [] if is_default(argument, value) else [flag]
    if isinstance(value, list | tuple):
        return [flag, *_listed(argument, value)]
    word = str(value)
    return [f"{flag}={word}"] if _looks_like_a_flag(word) else [flag, word]


def flag_of(name: str) -> str:
    """`--learning-rate` for `learning_rate`; underscores at the ends stay."""
    inner = name.strip("_")
    return "--" + name.replace(inner, inner.replace("_", "-"))


def is_default(argument: Argument, value: Any) -> bool:
    """Whether the script takes this value anyway."""
    default = argument.default
    if isinstance(value, list | tuple) and isinstance(default, list | tuple):
        return list(value) == list(default)
    return value == default and isinstance(value, bool) == isinstance(default, bool)


def _listed(argument: Argument, values: list[Any] | tuple[Any, ...]) -> list[str]:
    words = [str(value) for value in values]
    for word in words:
        if _looks_like_a_flag(word):
            raise InvalidInput.of_field(
                f"params.{argument.name}",
                f"“{word}” begins with a dash, so the script would read it as another argument.",
            )
    return words


def _looks_like_a_flag(word: str) -> bool:
    return word.startswith("-") and re.fullmatch(r"-(\d|\.\d|inf|nan).*", word) is None
