"""The arguments of a script that fills a dataclass with tyro or pyrallis, parsed from the text of that class."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from rl_lab.runners.script_text.annotations import type_of
from rl_lab.runners.script_text.arguments import REQUIRED, Argument
from rl_lab.runners.script_text.expressions import UnknownValue, dotted, value_of

_GIVEN = re.compile(r"\btyro\.cli\(\s*(\w+)|@pyrallis\.wrap\([^)]*\)\s*def \w+\(\s*\w+:\s*(\w+)")
"""The class that a script passes to tyro, or that the function annotates which pyrallis calls."""
_COMMENT = re.compile(r"\s*#\s*(?!noqa|type:|pragma)(.*)")


def find_arguments(text: str, module: ast.Module, names: Mapping[str, Any]) -> list[Argument] | None:
    """The fields of the class that tyro or pyrallis fills, or else of the class `Args`; None if there is none."""
    classes = {
        node.name: node for node in module.body if isinstance(node, ast.ClassDef) and _is_dataclass(node)
    }
    given = _GIVEN.search(text)
    chosen = classes.get(next(filter(None, given.groups()), "") if given else "Args")
    if chosen is None:
        return None
    found: dict[str, Argument] = {}
    lines = text.splitlines()
    for field, docstring in _fields(chosen, classes, set()):
        assert isinstance(field.target, ast.Name)
        found.pop(field.target.id, None)
        argument = _argument(field, docstring or _comment(field, lines), names)
        if argument is not None:
            found[argument.name] = argument
    return list(found.values())


def _is_dataclass(node: ast.ClassDef) -> bool:
    decorators = [one.func if isinstance(one, ast.Call) else one for one in node.decorator_list]
    return any(dotted(one).rpartition(".")[2] == "dataclass" for one in decorators)


def _fields(
    node: ast.ClassDef, classes: Mapping[str, ast.ClassDef], seen: set[str]
) -> Iterator[tuple[ast.AnnAssign, str]]:
    """Each field with the docstring below it; fields of base classes first."""
    seen.add(node.name)
    for base in node.bases:
        name = dotted(base)
        if name in classes and name not in seen:
            yield from _fields(classes[name], classes, seen)
    following: list[ast.stmt | None] = [*node.body[1:], None]
    for statement, after in zip(node.body, following, strict=True):
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement, _text(after)


def _text(statement: ast.stmt | None) -> str:
    match statement:
        case ast.Expr(value=ast.Constant(value=str(text))):
            return " ".join(inspect.cleandoc(text).split())
    return ""


def _comment(field: ast.AnnAssign, lines: Sequence[str]) -> str:
    """The comment behind a field, on its last line."""
    if field.end_lineno is None or field.end_col_offset is None:
        return ""
    # The offset counts bytes, and a default may hold other characters.
    rest = lines[field.end_lineno - 1].encode()[field.end_col_offset :].decode(errors="replace")
    found = _COMMENT.fullmatch(rest)
    return found[1].strip() if found else ""


def _argument(field: ast.AnnAssign, text: str, names: Mapping[str, Any]) -> Argument | None:
    """None for fields that are not arguments, or whose type the form does not support."""
    assert isinstance(field.target, ast.Name)
    try:
        type_ = type_of(field.annotation)
        default = _default(field.value, names)
    except UnknownValue:
        return None
    if default is None and type(None) not in get_args(type_):
        type_ = type_ | None
    return Argument(
        name=field.target.id,
        type=type_,
        default=default,
        description=text,
        spelling="switch" if type_ is bool else "value",
    )


def _default(node: ast.expr | None, names: Mapping[str, Any]) -> Any:
    if node is None:
        return REQUIRED
    if not (isinstance(node, ast.Call) and dotted(node.func).rpartition(".")[2] == "field"):
        return value_of(node, names)
    given = {keyword.arg: keyword.value for keyword in node.keywords}
    if "init" in given:
        raise UnknownValue("a field with init= may not be an argument")
    if "default" in given:
        return value_of(given["default"], names)
    return _made(given["default_factory"], names) if "default_factory" in given else REQUIRED


def _made(factory: ast.expr, names: Mapping[str, Any]) -> Any:
    match factory:
        case ast.Name(id="list"):
            return []
        case ast.Name(id="tuple"):
            return ()
        case ast.Lambda(body=body):
            return value_of(body, names)
    raise UnknownValue("the default is computed by a function")
