"""Run by a foreign Python as a file: reports its version and how it would read a script. The script is not run.

Standard library only, and simple enough that an old Python can report its version.
"""

from __future__ import annotations

import sys

if sys.path and sys.path[0] == __file__.rpartition("/")[0]:
    del sys.path[0]  # our folder must not shadow a module of this interpreter; with -I or -P it is not there

import ast
import importlib.machinery
import importlib.util
import json
import site
import warnings
from pathlib import Path
from typing import Any


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """`question`: folder (of the script's modules), script, module (to run), given (modules others provide),
    modules (to look for in addition).
    """
    if question["folder"]:
        sys.path.insert(0, question["folder"])
    about: dict[str, Any] = {
        "version": list(sys.version_info[:3]),
        "prefixes": sorted({sys.prefix, sys.base_prefix, sys.exec_prefix, sys.base_exec_prefix}),
        "path": [entry for entry in sys.path if entry and entry != question["folder"]],
        "places": [],
        "user_base": site.getuserbase() if site.ENABLE_USER_SITE else None,
        "file": question["script"],
        "missing": [name for name in question["modules"] if not is_there(name)],
        "mentioned": [],
        "problem": None,
    }
    if question["module"]:
        about["file"] = locate(question["module"])
    if about["file"]:
        modules, about["mentioned"], about["problem"] = read(about["file"])
        about["missing"] += [name for name in modules if name not in question["given"] and not is_there(name)]
        about["places"] = [place for name in modules for place in places_of(name)]
    return about


def places_of(name: str) -> list[str]:
    """The folder or file of a module: an editable install may be in a folder that is not on sys.path."""
    spec = find(name)
    if spec is None:
        return []
    return [str(place) for place in spec.submodule_search_locations or [spec.origin] if place]


def read(path: str) -> tuple[list[str], list[str], str | None]:
    """The modules a script always imports, all modules and names it mentions, and its syntax error."""
    try:
        with open(path, "rb") as file, warnings.catch_warnings():  # noqa: PTH123
            warnings.simplefilter("ignore")
            tree = ast.parse(file.read(), filename=path)
            compile(tree, path, "exec")
    except SyntaxError as error:
        line = (error.text or "").strip()
        return [], [], f"line {error.lineno}: {error.msg}" + (f": {line}" if line else "")
    except PermissionError:
        return [], [], None  # a module in a folder that has not been approved yet
    except (OSError, ValueError, RecursionError, MemoryError) as error:
        return [], [], str(error)
    return sorted(set(imported(tree.body))), mentioned(tree)[:MAX_MENTIONED], None


MAX_MENTIONED = 2000


def mentioned(tree: ast.AST) -> list[str]:
    """Modules that it imports anywhere, by their first name, and the names it takes out of modules."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names |= {node.module.partition(".")[0], *(alias.name for alias in node.names)}
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
    return sorted(names)


def imported(body: list[ast.stmt]) -> list[str]:
    """Only outside functions; an import inside `try` or `if` may be optional."""
    names: list[str] = []
    for statement in body:
        if isinstance(statement, ast.Import):
            names += [alias.name.partition(".")[0] for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom) and statement.level == 0 and statement.module:
            names.append(statement.module.partition(".")[0])
        elif isinstance(statement, ast.With):
            names += imported(statement.body)
    return names


def is_there(name: str) -> bool:
    """Only a top-level name, so that nothing is imported to find it."""
    return name in sys.builtin_module_names or find(name) is not None


def find(name: str) -> Any:
    try:
        found = importlib.util.find_spec(name)
    except Exception:  # a broken import finder of the user finds nothing
        found = None
    return found or find_unread(name, sys.path)


def find_unread(name: str, folders: Any) -> Any:
    """In folders that cannot be listed here, because nobody has approved them yet."""
    last = name.rpartition(".")[2]
    for folder in map(Path, folders):
        init = folder / last / "__init__.py"
        if is_file(init):
            inner = [str(init.parent)]
            return importlib.util.spec_from_file_location(name, init, submodule_search_locations=inner)
        for ending in (".py", *importlib.machinery.EXTENSION_SUFFIXES):
            if is_file(folder / (last + ending)):
                return importlib.util.spec_from_file_location(name, folder / (last + ending))
    return None


def is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False


def locate(name: str) -> str | None:
    """The file `python -m name` would run; found by searching folders, since find_spec("a.b") imports a."""
    first, *rest = name.split(".")
    spec = find(first)
    for part in rest:
        first += "." + part
        spec = beneath(spec, first)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = beneath(spec, first + ".__main__")
    return spec.origin if spec is not None else None


def beneath(spec: Any, name: str) -> Any:
    places = spec.submodule_search_locations if spec is not None else None
    if not places:
        return None
    return importlib.machinery.PathFinder.find_spec(name, places) or find_unread(name, places)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(answer(json.loads(sys.argv[1]))))
