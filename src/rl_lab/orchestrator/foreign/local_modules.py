"""The modules next to a script that it imports: found in its text, never imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from rl_lab.portable.regular_files import open_regular

MAX_MODULES = 500
MAX_PARSED_BYTES = 2 << 20
INIT = "__init__.py"


class Import(NamedTuple):
    level: int
    """Dots before the name; 0: searched for in the script's folder."""
    module: str
    names: tuple[str, ...] = ()
    """What is taken out of it; each may be a module too."""


def local_modules(script: Path, root: Path) -> list[Path]:
    """The files below `root` that the script imports, directly or through each other. Give and get real paths."""
    found: dict[Path, None] = {}
    waiting = [script, *_packages_around(script, root)]
    while waiting and len(found) <= MAX_MODULES:
        file = waiting.pop()
        if file not in found:
            found[file] = None
            waiting += [one for one in _imported_by(file, root) if one not in found]
    return sorted(one for one in found if one != script)[:MAX_MODULES]


def _packages_around(script: Path, root: Path) -> list[Path]:
    """Of a module that is run with -m: Python runs them first."""
    between = [one for one in script.parents if root in one.parents]
    return [folder / INIT for folder in between if (folder / INIT).is_file()]


def _imported_by(file: Path, root: Path) -> Iterator[Path]:
    try:
        state = file.stat()
    except OSError:
        return
    for one in _imports(file, state.st_mtime_ns, state.st_ctime_ns, state.st_size):
        above = [root, *file.parents]  # one dot: the file's own folder
        folder = above[one.level] if one.level < len(above) else root.parent
        if folder == root or root in folder.parents:
            yield from _files_of(folder, one, root)


def _files_of(folder: Path, wanted: Import, root: Path) -> Iterator[Path]:
    parts = [part for part in wanted.module.split(".") if part]
    places = [(folder.joinpath(*parts[:index]), part) for index, part in enumerate(parts)]
    places += [(folder.joinpath(*parts), name) for name in wanted.names]
    for place, name in places:
        file = _file_of(place, name)
        # A link that leads out of the folder leads to something that a confined script cannot read.
        if file is not None and root in file.parents:
            yield file


def _file_of(folder: Path, name: str) -> Path | None:
    """As Python chooses: a package before a module."""
    choices = (folder / name / INIT, folder / f"{name}.py")
    return next((one.resolve() for one in choices if one.is_file()), None)


@lru_cache(maxsize=2048)
def _imports(file: Path, _mtime_ns: int, _ctime_ns: int, size: int) -> tuple[Import, ...]:
    """Anywhere in the file, also in functions."""
    if size > MAX_PARSED_BYTES:
        return ()
    try:
        with open_regular(file) as opened:
            tree = ast.parse(opened.read(MAX_PARSED_BYTES))
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError):
        return ()
    found: list[Import] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [Import(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(Import(node.level, node.module or "", tuple(alias.name for alias in node.names)))
    return tuple(dict.fromkeys(found))
