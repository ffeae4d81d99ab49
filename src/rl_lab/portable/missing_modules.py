"""Modules that a script imports and its Python does not have: where they are, or which package brings them.

A module may be next to the script or elsewhere in its repository. A package is named only if the lab knows it or the
repository lists it: a name that nobody checked may belong to a stranger. Standard library only.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rl_lab.portable.failures import known_package
from rl_lab.portable.listed_packages import listed_packages, normalised

MAX_PARENTS = 8
MAX_FOLDERS = 300
"""Sub-folders looked at in one folder."""
NOT_CODE = frozenset({"node_modules", "__pycache__", "venv", "env", "site-packages"})


class Missing(NamedTuple):
    module: str
    folder: str | None = None
    """The folder to import it from; it has to be on PYTHONPATH."""
    package: str | None = None
    """What pip installs; None: not known."""


def look_for(modules: Iterable[str], starts: Sequence[str]) -> list[Missing]:
    """`starts`: the script's folder, and the one it was started from."""
    roots = [one for start in starts if start for one in up_to_repository(start)]
    folders = list(dict.fromkeys(roots))
    listed: dict[str, str] | None = None
    found = []
    for module in modules:
        folder = find_folder(module, folders)
        package = None if folder else known_package(module)
        if folder is None and package is None:
            listed = listed_packages(folders) if listed is None else listed
            package = listed.get(normalised(module))
        found.append(Missing(module, folder, package))
    return found


def up_to_repository(start: str) -> list[str]:
    """The folder and its parents up to the root of the repository; without one, only the folder."""
    folder, passed = os.path.abspath(start), []
    for _ in range(MAX_PARENTS):
        passed.append(folder)
        if os.path.exists(os.path.join(folder, ".git")):
            return passed
        parent = os.path.dirname(folder)
        if parent == folder:
            break
        folder = parent
    return passed[:1]


def find_folder(module: str, folders: Sequence[str]) -> str | None:
    """The nearest folder that holds the module, also one level below the given ones."""
    below = (inner for folder in folders for inner in _sub_folders(folder))
    return next((folder for folder in (*folders, *below) if _holds(folder, module)), None)


def _holds(folder: str, module: str) -> bool:
    path = os.path.join(folder, module)
    if os.path.isfile(path + ".py") or os.path.isfile(os.path.join(path, "__init__.py")):
        return True
    # A package without __init__.py: a folder of logs with the same name is none.
    return any(name.endswith(".py") for name in _names(path))


def _sub_folders(folder: str) -> list[str]:
    names = [name for name in _names(folder) if not name.startswith(".") and name not in NOT_CODE]
    paths = [os.path.join(folder, name) for name in names[:MAX_FOLDERS]]
    return [p for p in paths if os.path.isdir(p) and not os.path.exists(os.path.join(p, "pyvenv.cfg"))]


def _names(folder: str) -> list[str]:
    """Empty where there is no such folder, or a confined script may not list it."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def python_path(missing: Iterable[Missing], before: str = "") -> str | None:
    """The PYTHONPATH with which the modules that were found can be imported; None when none was found."""
    folders = [one.folder for one in missing if one.folder]
    known = [entry for entry in before.split(os.pathsep) if entry]
    return os.pathsep.join(dict.fromkeys([*folders, *known])) if folders else None


def describe(missing: Sequence[Missing]) -> str:
    """What is missing, as a sentence."""
    names = [one.module for one in missing]
    if len(names) > 1:
        return f"The script's Python lacks {len(names)} modules that the script imports: {', '.join(names)}."
    verb = "cannot find" if missing[0].folder else "does not have"
    return f"The script's Python {verb} the module “{names[0]}”."


def advise(missing: Sequence[Missing], python: str, before: str = "") -> str:
    """What to do about each of them."""
    steps = []
    path = python_path(missing, before)
    if path is not None:
        where = ", ".join(f"{one.module} is in {one.folder}" for one in missing if one.folder)
        steps.append(f"{where}: set the variable with `--env PYTHONPATH={shlex.quote(path)}`.")
    packages = dict.fromkeys(one.package for one in missing if one.package)
    if packages:
        names = " ".join(map(shlex.quote, packages))
        steps.append(f"Install: `{shlex.quote(python)} -m pip install {names}`.")
    unknown = [one.module for one in missing if not one.folder and not one.package]
    if unknown:
        steps.append(
            f"Not installed in {python}, and the lab does not know which package it is in: {', '.join(unknown)}; "
            "see the instructions of the script."
        )
    return " ".join(steps)
