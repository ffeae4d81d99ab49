"""A class name means one thing in the whole project."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import rl_lab

SOURCE = Path(rl_lab.__file__).parent


def test_no_class_name_is_defined_twice() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(str(path.relative_to(SOURCE)))
    assert {name: found for name, found in places.items() if len(found) > 1} == {}
