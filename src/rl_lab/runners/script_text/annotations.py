"""The types of a script's arguments, parsed from their annotations."""

from __future__ import annotations

import ast
from typing import Any, Literal, Union

from rl_lab.runners.script_text.expressions import UnknownValue, dotted, value_of

_PLAIN = {"int": int, "float": float, "bool": bool, "str": str, "Path": str, "None": type(None)}
_LISTS = frozenset({"list", "List", "Sequence"})
_TUPLES = frozenset({"tuple", "Tuple"})


def type_of(node: ast.expr | None) -> Any:
    """The type of this argument; raises UnknownValue if the form does not support it."""
    match node:
        case ast.Constant(value=None):
            return type(None)
        case ast.Constant(value=str(text)):
            return type_of(_parsed(text))
        case ast.Name() | ast.Attribute():
            return _plain(node)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return Union[type_of(left), type_of(right)]  # noqa: UP007  made from values
        case ast.Subscript(value=outer, slice=inner):
            return _generic(dotted(outer).rpartition(".")[2], inner)
    raise UnknownValue("the form does not support this annotation")


def _plain(node: ast.expr) -> Any:
    name = dotted(node).rpartition(".")[2]
    if name not in _PLAIN:
        raise UnknownValue(name)
    return _PLAIN[name]


def _generic(outer: str, inner: ast.expr) -> Any:
    parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
    if outer == "Literal":
        return Literal[tuple(value_of(part, {}) for part in parts)]
    if outer == "Optional":
        return Union[type_of(parts[0]), None]  # noqa: UP007
    if outer == "Union":
        return Union[tuple(type_of(part) for part in parts)]  # noqa: UP007
    if outer in ("Annotated", "Final"):
        return type_of(parts[0])
    if outer in _LISTS:
        return list[type_of(parts[0])]  # type: ignore[misc]
    if outer in _TUPLES:
        return _tuple(parts)
    raise UnknownValue(outer)


def _tuple(parts: list[ast.expr]) -> Any:
    match parts:
        case [one, ast.Constant(value=rest)] if rest is Ellipsis:
            return tuple[type_of(one), ...]  # type: ignore[misc]
    return tuple[tuple(type_of(part) for part in parts)]  # type: ignore[misc]


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        raise UnknownValue(text) from None
