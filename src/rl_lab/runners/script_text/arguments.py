"""An Argument of a script's command line, and how to write a value for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final, Literal

from rl_lab.core.errors import InvalidInput

Spelling = Literal["value", "switch", "store_true", "store_false"]
"""value: `--name VALUE`; switch: `--name` and `--no-name`; the others are actions of argparse."""


class Required:
    """Marks an argument without a default."""


REQUIRED: Final = Required()


@dataclass(frozen=True, slots=True)
class Argument:
    name: str
    """The name in the script's code."""
    type: Any
    default: Any
    """REQUIRED when the script has none."""
    description: str
    spelling: Spelling = "value"
    flag: str = ""
    """The flag on the command line; if empty, it is made from the name."""


def spell(argument: Argument, value: Any) -> list[str]:
    """The command-line arguments that set this value."""
    flag = argument.flag or flag_of(argument.name)
    if argument.spelling == "switch":
        return [flag if value else f"--no-{flag[2:]}"]
    if argument.spelling in ("store_true", "store_false"):
        return [] if is_default(argument, value) else [flag]
    if isinstance(value, list | tuple):
        return [flag, *_listed(argument, value)]
    text = str(value)
    return [f"{flag}={text}"] if _looks_like_a_flag(text) else [flag, text]


def flag_of(name: str) -> str:
    """`--learning-rate` for `learning_rate`; leading and trailing underscores are kept."""
    inner = name.strip("_")
    return "--" + name.replace(inner, inner.replace("_", "-"))


def is_default(argument: Argument, value: Any) -> bool:
    """Whether this value is the script's default."""
    default = argument.default
    if isinstance(value, list | tuple) and isinstance(default, list | tuple):
        return list(value) == list(default)
    return value == default and isinstance(value, bool) == isinstance(default, bool)


def _listed(argument: Argument, values: list[Any] | tuple[Any, ...]) -> list[str]:
    texts = [str(value) for value in values]
    for text in texts:
        if _looks_like_a_flag(text):
            raise InvalidInput.of_field(
                f"params.{argument.name}",
                f"“{text}” starts with a dash, so the script would read it as another argument.",
            )
    return texts


def _looks_like_a_flag(text: str) -> bool:
    return text.startswith("-") and re.fullmatch(r"-(\d|\.\d|inf|nan).*", text) is None
