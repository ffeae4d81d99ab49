"""Evaluates constant expressions of a script from its text. No code of the script is executed."""

from __future__ import annotations

import ast
import math
import operator
import posixpath
from collections.abc import Callable, Mapping
from typing import Any

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_SIGNS: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
}
_CALLS: dict[str, Callable[..., Any]] = {
    "int": int,
    "float": float,
    "bool": bool,
    "str": str,
    "len": len,
    "abs": abs,
    "round": round,
    "min": min,
    "max": max,
    "list": list,
    "tuple": tuple,
    "os.path.basename": posixpath.basename,
}
_TEXT_METHODS = frozenset({"strip", "lstrip", "rstrip", "removesuffix", "removeprefix", "lower", "upper"})
_MAX_EXPONENT = 64
_MAX_NUMBER = 10.0**300


class UnknownValue(ValueError):
    """The value cannot be determined from the text alone."""


def value_of(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """A number, string, boolean, None, or a list or tuple of those; raises UnknownValue for everything else.

    `names` holds the values of module-level constants, including `__file__`.
    """
    try:
        value = _value(node, names)
    except UnknownValue:
        raise
    except (ArithmeticError, TypeError, ValueError, RecursionError, IndexError) as error:
        raise UnknownValue(str(error)) from None
    if isinstance(value, float) and not math.isfinite(value):
        raise UnknownValue("not a finite number")
    return value


def constants_of(module: ast.Module, file_name: str) -> dict[str, Any]:
    """Module-level names with a constant value."""
    names: dict[str, Any] = {"__file__": file_name}
    for statement in module.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(statement, ast.Assign) and isinstance(target, ast.Name):
            try:
                names[target.id] = value_of(statement.value, names)
            except UnknownValue:
                names.pop(target.id, None)
    return names


def dotted(node: ast.expr) -> str:
    """The dotted name of an expression, such as `os.path.basename`; "" if it is not a name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value) if value is None or isinstance(value, int | float | str):
            return value
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.List(elts=parts):
            return [_value(part, names) for part in parts]
        case ast.Tuple(elts=parts):
            return tuple(_value(part, names) for part in parts)
        case ast.UnaryOp(op=op, operand=operand) if type(op) in _SIGNS:
            return _SIGNS[type(op)](_value(operand, names))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _computed(op, _value(left, names), _value(right, names))
        case ast.Subscript(value=owner, slice=ast.Slice() as part):
            return _sliced(_value(owner, names), part, names)
        case ast.Attribute(value=ast.Call(func=func, args=[path]), attr="stem") if dotted(func).endswith(
            "Path"
        ):
            return posixpath.splitext(posixpath.basename(_value(path, names)))[0]
        case ast.Call(func=func, args=given, keywords=[]):
            return _called(func, given, names)
    raise UnknownValue(type(node).__name__)


def _computed(op: ast.operator, left: Any, right: Any) -> Any:
    numbers = isinstance(left, int | float) and isinstance(right, int | float)
    texts = isinstance(left, str) and isinstance(right, str) and isinstance(op, ast.Add)
    if not (numbers or texts):
        raise UnknownValue("only arithmetic with numbers is supported")
    if isinstance(op, ast.Pow) and abs(right) > _MAX_EXPONENT:
        raise UnknownValue("the exponent is too large")
    value = _OPERATORS[type(op)](left, right)
    if numbers and (isinstance(value, complex) or abs(value) > _MAX_NUMBER):
        raise UnknownValue("the number is too large")
    return value


def _sliced(owner: Any, part: ast.Slice, names: Mapping[str, Any]) -> Any:
    ends = [None if end is None else _value(end, names) for end in (part.lower, part.upper, part.step)]
    return owner[slice(*ends)]


def _called(func: ast.expr, given: list[ast.expr], names: Mapping[str, Any]) -> Any:
    call = _CALLS.get(dotted(func))
    if call is None and isinstance(func, ast.Attribute) and func.attr in _TEXT_METHODS:
        owner = _value(func.value, names)
        call = getattr(owner, func.attr) if isinstance(owner, str) else None
    if call is None:
        raise UnknownValue(dotted(func))
    return call(*(_value(one, names) for one in given))
