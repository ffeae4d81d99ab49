"""The search text of a list of runs: words, and conditions such as `lr<0.01 seed:3 status:failed tag:x`."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Literal, cast

from rl_lab.core.errors import InvalidInput
from rl_lab.core.words.parameter_names import SHORT_MEANINGS, full_name, short_names_of

MAX_QUERY = 200
"""Maximum length of a search text."""

Operator = Literal[":", "=", "!=", "<", "<=", ">", ">="]

NUMBERS: dict[str, tuple[str, ...]] = {
    "seed": ("seed",),
    "timestep": ("steps", "step", "timestep", "timesteps"),
    "duration": ("duration", "time"),
    "mean_reward": ("mean", "mean_reward"),
    "best_mean_reward": ("best", "best_mean_reward"),
    "best_reward": ("best_episode", "best_reward"),
    "last_reward": ("last", "last_reward"),
    "episodes": ("episodes",),
    "total_timesteps": ("total", "total_timesteps"),
}
"""Numbers of a run, with the words that stand for them."""
TEXTS: dict[str, tuple[str, ...]] = {
    "env_id": ("env", "env_id", "environment"),
    "algorithm": ("algo", "algorithm"),
    "runner": ("runner",),
    "status": ("status", "state"),
    "name": ("name",),
    "id": ("id",),
    "tag": ("tag", "tags"),
    "preset": ("preset",),
}
"""Texts of a run, with the words that stand for them."""
_FIELDS = {word: field for table in (NUMBERS, TEXTS) for field, words in table.items() for word in words}

_TERM = re.compile(r'([A-Za-z_][\w.-]*?)(<=|>=|!=|:|=|<|>)("[^"]*"|\S*)|"([^"]*)"|(\S+)')
_SCALES = {"k": 1e3, "m": 1e6, "g": 1e9}
TYPO = 0.84
"""A name this similar to a known parameter is taken for a misspelling of it."""


@dataclass(frozen=True)
class Condition:
    """One field of a run compared with values; with several values, any of them."""

    field: str
    """A field of `NUMBERS` or `TEXTS`, or the name of a parameter."""
    operator: Operator
    values: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    """For a parameter: every name it may have in a configuration. Empty for other fields."""

    @property
    def numbers(self) -> list[float]:
        """The values as numbers; raises if one is not a number."""
        return [_number(self.field, value) for value in self.values]


@dataclass(frozen=True)
class RunQuery:
    words: tuple[str, ...] = ()
    """Each must occur in name, id, environment, algorithm, runner or tags."""
    conditions: tuple[Condition, ...] = ()


def parse_query(text: str, parameters: Collection[str] = ()) -> RunQuery:
    """`parameters`: names that runners have; a name that looks like a misspelled one is refused."""
    if len(text) > MAX_QUERY:
        raise InvalidInput.of_field("q", f"is longer than {MAX_QUERY} characters", {"maxLength": MAX_QUERY})
    words: list[str] = []
    conditions: list[Condition] = []
    for match in _TERM.finditer(text):
        name, operator, value, quoted, word = match.groups()
        if name is None:
            words.append((quoted if quoted is not None else word).casefold())
        elif value:
            conditions.append(
                _condition(name.lower(), cast(Operator, operator), value.strip('"'), parameters)
            )
    return RunQuery(tuple(word for word in words if word), tuple(conditions))


def is_text(field: str) -> bool:
    return field in TEXTS


def parse_number(text: str) -> float | None:
    """`0.01`, `1e-3`, `10k`, `1.5M`, `−2`; None for other text."""
    plain = text.replace("−", "-").replace("_", "")
    scale = _SCALES.get(plain[-1:].lower(), 1.0)
    try:
        value = float(plain if scale == 1 else plain[:-1]) * scale
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _condition(name: str, operator: Operator, value: str, parameters: Collection[str]) -> Condition:
    values = tuple(part for part in value.split(",") if part)
    field = _FIELDS.get(name)
    if field is None:
        return _parameter(name, operator, values, parameters)
    found = Condition(field, operator, values)
    if is_text(field):
        if operator not in (":", "=", "!="):
            raise InvalidInput.of_field(
                "q", f"“{name}” is text and cannot be compared with {operator}.", [":", "=", "!="]
            )
    else:
        _ = found.numbers
    return found


def _parameter(
    name: str, operator: Operator, values: tuple[str, ...], parameters: Collection[str]
) -> Condition:
    bare = name.removeprefix("params.")
    full = full_name(bare, parameters or SHORT_MEANINGS)
    if parameters and full not in parameters:
        close = get_close_matches(full, [*parameters, *_FIELDS], n=1, cutoff=TYPO)
        if close:
            raise InvalidInput.of_field(
                "q", f"No run has a field “{name}”. Did you mean {close[0]}?", sorted({*parameters, *_FIELDS})
            )
    found = Condition(full, operator, values, (full, *short_names_of(full)))
    if operator in ("<", "<=", ">", ">="):
        _ = found.numbers
    return found


def _number(field: str, value: str) -> float:
    number = parse_number(value)
    if number is None:
        raise InvalidInput.of_field(
            "q", f"“{value}” is not a number, and {field} is one.", "e.g. 3, 0.01, 1e-3, 10k"
        )
    return number
