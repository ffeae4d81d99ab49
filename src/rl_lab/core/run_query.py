"""The search text of a list of runs: words, and conditions such as `lr < 0.01 and (best > 200 or tag:thesis)`.

Terms that follow each other must all hold; `and`, `or`, `not` and parentheses combine them as usual.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal, cast

from rl_lab.core.errors import InvalidInput
from rl_lab.core.own_environments import PREFIX
from rl_lab.core.protocol.metrics import METRICS
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
    "notes": ("note", "notes"),
    "study_id": ("study",),
}
"""Texts of a run, with the words that stand for them."""
_FIELDS = {word: field for table in (NUMBERS, TEXTS) for field, words in table.items() for word in words}

_TOKEN = re.compile(
    r"""(?P<bracket>[()])
    | (?P<name>metrics\.[\w./@-]*?|[A-Za-z_][\w./-]*?)
      (?: (?P<colon>:)(?P<part>"[^"]*"|[^\s()]*)
        | \s*(?P<sign><=|>=|!=|=|<|>)\s*(?P<value>"[^"]*"|[^\s()]*) )
    | "(?P<quoted>[^"]*)" | (?P<word>[^\s()]+)""",
    re.VERBOSE,
)
MAX_DEPTH = 20
"""Parentheses inside each other."""
_SCALES = {"k": 1e3, "m": 1e6, "g": 1e9}
METRIC, PARAMETER = "metrics.", "params."
VERSIONED = re.compile(r"-v\d+$")
TYPO = 0.84
"""A name this similar to a known parameter is taken for a misspelling of it."""


@dataclass(frozen=True)
class QueryWord:
    """A word that must occur in name, id, environment, algorithm, runner, tags or notes."""

    text: str


@dataclass(frozen=True)
class Condition:
    """One field of a run compared with values; with several values, any of them."""

    field: str
    """A field of `NUMBERS` or `TEXTS`, or the name of a parameter or of a metric."""
    operator: Operator
    values: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    """For a parameter: every name it may have in a configuration. Empty for other fields."""
    is_metric: bool = False
    """The last value of a series that the run has recorded."""

    @property
    def numbers(self) -> list[float]:
        """The values as numbers; raises if one is not a number."""
        return [_number(self.field, value) for value in self.values]


@dataclass(frozen=True)
class NoneOf:
    part: Part


@dataclass(frozen=True)
class AnyOf:
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class AllOf:
    parts: tuple[Part, ...] = ()


Part = QueryWord | Condition | NoneOf | AnyOf | AllOf
RunQuery = AllOf
"""What a search text means; empty: every run."""


def parse_query(text: str, parameters: Collection[str] = ()) -> RunQuery:
    """`parameters`: names that runners have; a name that looks like a misspelled one is refused."""
    if len(text) > MAX_QUERY:
        raise InvalidInput.of_field("q", f"is longer than {MAX_QUERY} characters", {"maxLength": MAX_QUERY})
    reader = _Reader(_tokens(text, parameters))
    found = reader.any_of()
    if reader.tokens:
        raise InvalidInput.of_field("q", "A parenthesis is closed that was not opened.")
    return found if isinstance(found, AllOf) else AllOf((found,))


_Token = Part | Literal["(", ")", "and", "or", "not"]
_WORDS: dict[str, _Token] = {"and": "and", "or": "or", "not": "not", "(": "(", ")": ")"}


def _tokens(text: str, parameters: Collection[str]) -> list[_Token]:
    """A condition that is still being typed is left out."""
    found: list[_Token] = []
    for match in _TOKEN.finditer(text):
        name, value = match["name"], match["part"] or match["value"]
        plain = match["bracket"] or match["word"]
        if name and value and match["colon"] and _is_environment(name, value):
            found.append(QueryWord(match[0].casefold()))
        elif name and value:
            operator = cast(Operator, match["colon"] or match["sign"])
            found.append(_condition(name.lower(), operator, value.strip('"'), parameters))
        elif plain:
            found.append(_WORDS.get(plain.lower(), QueryWord(plain.casefold())))
        elif match["quoted"]:
            found.append(QueryWord(match["quoted"].casefold()))
    return found


def _is_environment(name: str, value: str) -> bool:
    """Whether an id with a colon is meant, `own:grid` or `package.module:Name-v0`, and no condition."""
    is_field = name.lower().startswith((METRIC, PARAMETER))
    return f"{name}:" == PREFIX or ("." in name and not is_field and VERSIONED.search(value) is not None)


@dataclass
class _Reader:
    """Takes the tokens from the front. What is not complete yet, such as a last `or`, is left out."""

    tokens: list[_Token]
    depth: int = field(default=0)

    def any_of(self) -> Part:
        parts = [self._all_of()]
        while self._takes("or"):
            parts.append(self._all_of())
        known = [part for part in parts if part != AllOf()]
        return AnyOf(tuple(known)) if len(known) > 1 else known[0] if known else AllOf()

    def _all_of(self) -> AllOf:
        parts: list[Part] = []
        while self.tokens and self.tokens[0] not in ("or", ")"):
            if not self._takes("and") and (part := self._one()) is not None:
                parts.append(part)
        return AllOf(tuple(parts))

    def _one(self) -> Part | None:
        if self._takes("not"):
            part = self._one() if self.tokens and self.tokens[0] not in ("or", ")", "and") else None
            return NoneOf(part) if part is not None else None
        if self._takes("("):
            return self._group()
        return cast(Part, self.tokens.pop(0))

    def _group(self) -> Part | None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise InvalidInput.of_field("q", f"More than {MAX_DEPTH} parentheses are inside each other.")
        part = self.any_of()
        self._takes(")")
        self.depth -= 1
        return part if part != AllOf() else None

    def _takes(self, word: str) -> bool:
        is_next = bool(self.tokens) and self.tokens[0] == word
        if is_next:
            self.tokens.pop(0)
        return is_next


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
        if _is_metric(name, parameters):
            return _metric(name, operator, values)
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


def _is_metric(name: str, parameters: Collection[str]) -> bool:
    """`metrics.anything`, or the name of a metric that is no parameter."""
    return name.startswith(METRIC) or (bool(parameters) and name in METRICS and name not in parameters)


def _metric(name: str, operator: Operator, values: tuple[str, ...]) -> Condition:
    found = Condition(name.removeprefix(METRIC), operator, values, is_metric=True)
    _ = found.numbers
    return found


def _parameter(
    name: str, operator: Operator, values: tuple[str, ...], parameters: Collection[str]
) -> Condition:
    bare = name.removeprefix(PARAMETER)
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
