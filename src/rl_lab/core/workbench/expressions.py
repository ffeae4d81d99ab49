"""Reads expressions over metrics, such as `ema(loss, 0.9) / length`. Computes nothing.

A small grammar of its own, so that no text of a user is ever executed:

    sum     = product (("+" | "-") product)*
    product = unary (("*" | "/" | "%") unary)*
    unary   = "-" unary | "+" unary | power
    power   = atom ("**" unary)?
    atom    = NUMBER | NAME | QUOTED | NAME "(" sum ("," sum)* ")" | "(" sum ")"
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import cast

from rl_lab.core.errors import WrongExpression, nearest
from rl_lab.core.workbench.expression_terms import (
    FUNCTIONS,
    BinarySign,
    BinaryTerm,
    CallTerm,
    Constant,
    ExpressionFunction,
    MetricTerm,
    NegatedTerm,
    NumberTerm,
    Term,
    metrics_of,
)
from rl_lab.core.workbench.expression_tokens import PLAIN_NAME, ExpressionToken, read_tokens

MAX_DEPTH = 40
"""Parentheses, functions and signs inside each other."""
ALIASES = {"return": "reward"}
"""Words that stand for a metric, unless they are quoted."""


def parse_expression(expression: str) -> Term:
    """Raises WrongExpression, and nothing else, for every text that is not an expression over at least one metric."""
    reader = _ExpressionReader(expression, read_tokens(expression))
    found = reader.whole()
    if not any(True for _ in metrics_of(found)):
        raise WrongExpression(expression, 0, "It names no metric, so it has no points.")
    return found


def require_known(expression: str, term: Term, known: Collection[str]) -> None:
    """Raises WrongExpression at the first metric that is not among the known ones."""
    for one in metrics_of(term):
        if one.name not in known:
            raise WrongExpression(expression, one.column, _unknown_metric(expression, one, known))


def require_no_typo(expression: str, term: Term, known: Collection[str]) -> None:
    """Raises WrongExpression at a metric that looks like a misspelled known one; a quoted name is taken as it is."""
    folded = {name.lower() for name in known}
    for one in metrics_of(term):
        is_known = one.is_quoted or one.name.lower() in folded
        if not is_known and nearest(one.name, known, 1):
            raise WrongExpression(expression, one.column, _unknown_metric(expression, one, known))


def _unknown_metric(expression: str, term: MetricTerm, known: Collection[str]) -> str:
    unquoted = expression.replace(" ", "")
    whole = [name for name in known if "/" in name and term.name in name and name in unquoted]
    if whole and not term.is_quoted:
        return f"There is no metric “{term.name}”. Quote a name with a slash: `{whole[0]}`."
    close = nearest(term.name, [*ALIASES, *known], 1)
    hint = f" Did you mean {close[0] if close[0] in ALIASES else quoted_name(close[0])}?" if close else ""
    return f"There is no metric “{term.name}”.{hint}"


def quoted_name(name: str) -> str:
    """A name as it is written in an expression: in backticks where it needs them."""
    is_plain = PLAIN_NAME.fullmatch(name) is not None and name not in ALIASES
    return name if is_plain else f'"{name}"' if "`" in name else f"`{name}`"


class _ExpressionReader:
    """Takes the tokens from the front."""

    def __init__(self, expression: str, tokens: list[ExpressionToken]) -> None:
        self._expression = expression
        self._tokens = tokens
        self._place = 0
        self._depth = 0

    def whole(self) -> Term:
        if self._is_at_end():
            raise self._error("The expression is empty.")
        found = self._sum()
        if not self._is_at_end():
            extra = "A parenthesis is closed that was not opened." if self._next.text == ")" else ""
            raise self._error(extra or f"Something is missing before “{self._next.text}”, such as * or +.")
        return found

    def _is_at_end(self) -> bool:
        return self._next.kind == "end"

    @property
    def _next(self) -> ExpressionToken:
        return self._tokens[self._place]

    def _sum(self) -> Term:
        found = self._product()
        while self._next.kind == "sign" and self._next.text in ("+", "-"):
            found = self._joined(found, self._product)
        return found

    def _product(self) -> Term:
        found = self._unary()
        while self._next.kind == "sign" and self._next.text in ("*", "/", "%"):
            found = self._joined(found, self._unary)
        return found

    def _joined(self, left: Term, read_right: Callable[[], Term]) -> Term:
        sign = cast(BinarySign, self._take().text)
        return BinaryTerm(sign, left, read_right())

    def _unary(self) -> Term:
        if self._next.kind == "sign" and self._next.text in ("-", "+"):
            sign = self._take()
            inner = self._deeper(self._unary)
            return NegatedTerm(inner) if sign.text == "-" else inner
        return self._power()

    def _power(self) -> Term:
        base = self._atom()
        if self._next.text != "**" or self._next.kind != "sign":
            return base
        self._take()
        return BinaryTerm("**", base, self._deeper(self._unary))

    def _atom(self) -> Term:
        token = self._take()
        if token.kind == "number":
            return NumberTerm(float(token.text))
        if token.kind == "quoted":
            return MetricTerm(token.text, token.column, is_quoted=True)
        if token.kind == "name":
            if self._next.kind == "sign" and self._next.text == "(":
                return self._call(token)
            return MetricTerm(ALIASES.get(token.text, token.text), token.column)
        if token.text == "(":
            found = self._deeper(self._sum)
            self._close(token)
            return found
        what = "The expression ends here" if token.kind == "end" else f"“{token.text}” is here"
        raise self._error(f"{what}, but a number or the name of a metric is expected.", token.column)

    def _call(self, name: ExpressionToken) -> Term:
        function = FUNCTIONS.get(name.text)
        if function is None:
            close = nearest(name.text, FUNCTIONS, 1)
            hint = f" Did you mean {close[0]}?" if close else f" There are {', '.join(FUNCTIONS)}."
            raise self._error(f"There is no function “{name.text}”.{hint}", name.column)
        bracket = self._take()
        given: list[tuple[Term, int]] = []
        while not given or self._takes(","):
            column = self._next.column
            given.append((self._deeper(self._sum), column))
        self._close(bracket)
        return self._checked(name, function, given)

    def _checked(
        self, name: ExpressionToken, function: ExpressionFunction, given: list[tuple[Term, int]]
    ) -> Term:
        series, constants = function.arguments, function.constants
        is_open = series[-1] == "…"
        needed = len(series) - is_open + len(constants)
        if len(given) < needed or (len(given) > needed and not is_open):
            message = (
                f"{function.signature(name.text)} takes {needed}{' or more' if is_open else ''} arguments"
            )
            message = message.removesuffix("s") if needed == 1 else message
            raise self._error(f"{message}, not {len(given)}.", name.column)
        many = len(given) - len(constants)
        numbers = [self._constant(*one, rule) for one, rule in zip(given[many:], constants, strict=True)]
        return CallTerm(name.text, tuple(term for term, _ in given[:many]), tuple(numbers))

    def _constant(self, term: Term, column: int, rule: Constant) -> float:
        value = term.value if isinstance(term, NumberTerm) else None
        is_right = value is not None and rule.least <= value <= rule.most
        if value is None or not is_right or (rule.is_whole and value != int(value)):
            kind = "a whole number" if rule.is_whole else "a plain number"
            message = f"{rule.name} must be {kind} from {rule.least:g} to {rule.most:,g}."
            raise self._error(message, column)
        return value

    def _deeper(self, read: Callable[[], Term]) -> Term:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._error(
                f"More than {MAX_DEPTH} parentheses, functions and signs are inside each other."
            )
        found = read()
        self._depth -= 1
        return found

    def _close(self, bracket: ExpressionToken) -> None:
        if not self._takes(")"):
            raise self._error("This parenthesis is not closed.", bracket.column)

    def _takes(self, sign: str) -> bool:
        is_next = self._next.kind == "sign" and self._next.text == sign
        self._place += is_next
        return is_next

    def _take(self) -> ExpressionToken:
        """The end is not taken: it stays the next token."""
        token = self._next
        self._place += token.kind != "end"
        return token

    def _error(self, message: str, column: int | None = None) -> WrongExpression:
        return WrongExpression(self._expression, self._next.column if column is None else column, message)
