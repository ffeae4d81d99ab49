"""Splits an expression over metrics into tokens. Every error names the column, so that a caret can point at it."""

from __future__ import annotations

import math
import re
from typing import Literal, NamedTuple

from rl_lab.core.errors import WrongExpression

MAX_EXPRESSION = 500
"""Maximum length of an expression, in characters."""
MAX_NAME = 200

PLAIN_NAME = re.compile(r"[^\W\d][\w.]*")
"""What needs no quotes."""

TokenKind = Literal["number", "name", "quoted", "sign", "end"]

_TOKEN = re.compile(
    rf"""\s*(?:
      (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
    | (?P<name>{PLAIN_NAME.pattern})
    | (?P<quoted>`[^`]*`|"[^"]*")
    | (?P<sign>\*\*|[-−+*/%(),])
    )""",
    re.VERBOSE,
)
_HINTS = {
    "^": "Write ** for a power.",
    "<": "Only numbers are computed here; alerts compare them.",
    ">": "Only numbers are computed here; alerts compare them.",
    "=": "Only numbers are computed here; alerts compare them.",
    "'": 'Quote a name with `…` or "…".',
    "`": "A quoted name is not closed.",
    '"': "A quoted name is not closed.",
}


class ExpressionToken(NamedTuple):
    kind: TokenKind
    text: str
    """A quoted name is without its quotes."""
    column: int
    """From 0."""


def read_tokens(expression: str) -> list[ExpressionToken]:
    """All tokens, then one of kind `end`."""
    if len(expression) > MAX_EXPRESSION:
        message = f"It has {len(expression):,} characters; at most {MAX_EXPRESSION} are accepted."
        raise WrongExpression(expression[:MAX_EXPRESSION], MAX_EXPRESSION, message)
    found: list[ExpressionToken] = []
    place, end = 0, len(expression.rstrip())
    while place < end:
        match = _TOKEN.match(expression, place)
        if match is None:
            raise _unknown(expression, place)
        found.append(_token(expression, match))
        place = match.end()
    return [*found, ExpressionToken("end", "", end)]


def _token(expression: str, match: re.Match[str]) -> ExpressionToken:
    kind = match.lastgroup or "end"
    text, column = match[kind], match.start(kind)
    if kind == "number":
        if not math.isfinite(float(text)):
            raise WrongExpression(expression, column, "This number is too large.")
        return ExpressionToken("number", text, column)
    if kind == "quoted":
        return ExpressionToken("quoted", _unquoted(expression, text, column), column)
    return ExpressionToken("name" if kind == "name" else "sign", text.replace("−", "-"), column)


def _unquoted(expression: str, text: str, column: int) -> str:
    name = text[1:-1]
    if not name.strip():
        raise WrongExpression(expression, column, "The quotes are empty; write the name of a metric in them.")
    if len(name) > MAX_NAME:
        raise WrongExpression(expression, column, f"A name has at most {MAX_NAME} characters.")
    return name


def _unknown(expression: str, place: int) -> WrongExpression:
    column = place + len(expression[place:]) - len(expression[place:].lstrip())
    sign = expression[column]
    hint = _HINTS.get(sign, "")
    return WrongExpression(expression, column, f"“{sign}” is not understood here. {hint}".rstrip())
