"""The packages that a repository itself lists: requirements files, pyproject.toml, setup.py. Standard library only."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
MAX_BYTES = 1 << 20
IN_SETUP = frozenset({"install_requires", "extras_require", "tests_require"})


def normalised(name: str) -> str:
    """As pip compares names: `highway_env` and `Highway-Env` are one."""
    return re.sub(r"[-_.]+", "-", name).lower()


def listed_packages(folders: Sequence[str]) -> dict[str, str]:
    """The name of each package that files in these folders list, by its normalised name."""
    found: dict[str, str] = {}
    for folder in folders:
        for name in _listed_in(folder):
            found.setdefault(normalised(name), name)
    return found


def _listed_in(folder: str) -> Iterator[str]:
    for path in _requirement_files(folder):
        yield from _names(_read(path).splitlines())
    yield from _in_pyproject(_read(os.path.join(folder, "pyproject.toml")))
    yield from _in_setup(_read(os.path.join(folder, "setup.py")))


def _requirement_files(folder: str) -> Iterator[str]:
    for inner in (folder, os.path.join(folder, "requirements")):
        try:
            names = sorted(os.listdir(inner))
        except OSError:
            names = []
        for name in names:
            if name.endswith(".txt") and ("requirements" in name or inner != folder):
                yield os.path.join(inner, name)


def _names(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        match = NAME.match(line.strip())
        if match:
            yield match.group()


def _in_pyproject(text: str) -> Iterator[str]:
    content = _toml(text)
    project, poetry = _table(content, "project"), _table(content, "tool", "poetry")
    yield from _names(_strings(project.get("dependencies")))
    for group in (_table(project, "optional-dependencies"), _table(content, "dependency-groups")):
        for listed in group.values():
            yield from _names(_strings(listed))
    yield from _names(_table(poetry, "dependencies"))
    for one in _table(poetry, "group").values():
        yield from _names(_table(one, "dependencies"))


def _toml(text: str) -> dict[str, Any]:
    """Empty for a broken file, and in Python 3.10, which cannot read TOML."""
    try:
        import tomllib

        return tomllib.loads(text)
    except (ImportError, ValueError):
        return {}


def _in_setup(text: str) -> Iterator[str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg in IN_SETUP:
            inner = [one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant)]
            yield from _names(_strings(inner))


def _table(content: Any, *keys: str) -> dict[str, Any]:
    for key in keys:
        content = content.get(key) if isinstance(content, dict) else None
    return content if isinstance(content, dict) else {}


def _strings(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(MAX_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
