"""The arguments of a script in the older style, parsed from its `parser.add_argument` calls."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, Literal

from rl_lab.runners.script_text.annotations import type_of
from rl_lab.runners.script_text.arguments import REQUIRED, Argument, Spelling
from rl_lab.runners.script_text.expressions import UnknownValue, value_of

_SWITCHES: dict[str, Spelling] = {
    "store_true": "store_true",
    "store_false": "store_false",
}


def find_arguments(module: ast.Module, names: Mapping[str, Any]) -> list[Argument] | None:
    """None if the script has no such calls."""
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call) and _adds_argument(node)]
    found = {}
    for call in sorted(calls, key=lambda call: call.lineno):
        try:
            argument = _argument(call, names)
        except UnknownValue:
            continue
        found[argument.name] = argument
    return list(found.values()) if calls else None


def _adds_argument(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Attribute) and node.func.attr == "add_argument"


def _argument(call: ast.Call, names: Mapping[str, Any]) -> Argument:
    flags = [str(value_of(flag, {})) for flag in call.args]
    long = next((flag for flag in flags if flag.startswith("--")), None)
    if long is None:
        raise UnknownValue("not a named argument")
    given = {keyword.arg: keyword.value for keyword in call.keywords if keyword.arg is not None}
    name = str(value_of(given["dest"], {})) if "dest" in given else long[2:].replace("-", "_")
    help_ = " ".join(str(value_of(given["help"], names)).split()) if "help" in given else ""
    action = value_of(given["action"], {}) if "action" in given else "store"
    if action in _SWITCHES:
        spelling = _SWITCHES[action]
        return Argument(name, bool, spelling == "store_false", help_, spelling, long)
    if action != "store":
        raise UnknownValue(str(action))
    type_, default = _type(given, names), _default(given, names)
    return Argument(name, type_ | None if default is None else type_, default, help_, "value", long)


def _default(given: Mapping[str, ast.expr], names: Mapping[str, Any]) -> Any:
    if "default" in given:
        return value_of(given["default"], names)
    is_required = "required" in given and value_of(given["required"], names)
    return REQUIRED if is_required else None


def _type(given: Mapping[str, ast.expr], names: Mapping[str, Any]) -> Any:
    one = _type_of_one(given, names)
    count = value_of(given["nargs"], names) if "nargs" in given else None
    is_list = count in ("*", "+") or isinstance(count, int)
    return list[one] if is_list else one  # type: ignore[valid-type]


def _type_of_one(given: Mapping[str, ast.expr], names: Mapping[str, Any]) -> Any:
    if "choices" in given:
        return Literal[tuple(value_of(given["choices"], names))]
    kind = given.get("type")
    if kind is None:
        return str
    type_name = ast.unparse(kind)
    if type_name == "bool":
        raise UnknownValue("bool('False') is True, so the form cannot set such an argument")
    # Functions that parse a boolean have different names, but all of them contain "bool".
    return bool if "bool" in type_name else type_of(kind)
