"""guardian, portable and capture run where nothing of the lab is installed: Python 3.10, standard library only.

So do the few files of core that they read.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import rl_lab

SOURCE = Path(rl_lab.__file__).parents[1]
PACKAGES = ("guardian", "portable", "capture")
SHARED = ("rl_lab.core.bounds", "rl_lab.core.own_environments")
FILES = sorted(
    [
        *(path for name in PACKAGES for path in (SOURCE / "rl_lab" / name).rglob("*.py")),
        *((SOURCE / name.replace(".", "/")).with_suffix(".py") for name in SHARED),
    ]
)
WITH_GYMNASIUM = {"rl_lab.capture.gymnasium_029.vectors", "rl_lab.capture.gymnasium_029.wrappers"}
"""Imported only where the script has imported gymnasium."""
ALLOWED = {
    "guardian": ("rl_lab.guardian", *SHARED),
    "portable": ("rl_lab.portable", *SHARED),
    "capture": ("rl_lab.capture", "rl_lab.portable", *SHARED),
    "core": SHARED,
}


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts)


def imported_at_once(path: Path) -> set[str]:
    """Modules that a file imports when it is imported itself: not in functions, not for type checkers."""
    names: set[str] = set()
    for node in ast.parse(path.read_bytes()).body:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


def test_the_packages_are_found() -> None:
    assert {path.relative_to(SOURCE).parts[1] for path in FILES} == {*PACKAGES, "core"}


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_a_file_parses_with_python_3_10(path: Path) -> None:
    assert ast.parse(path.read_bytes(), feature_version=(3, 10)).body


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_a_file_imports_the_standard_library_only(path: Path) -> None:
    allowed = set(sys.stdlib_module_names) | {"rl_lab"}
    if module_name(path) in WITH_GYMNASIUM:
        allowed |= {"gymnasium", "numpy"}
    assert {name.partition(".")[0] for name in imported_at_once(path)} <= allowed


@pytest.mark.parametrize("path", FILES, ids=module_name)
def test_a_file_imports_only_such_packages_of_the_lab(path: Path) -> None:
    allowed = ALLOWED[path.relative_to(SOURCE).parts[1]]
    own = {name for name in imported_at_once(path) if name.startswith("rl_lab")}
    assert {name for name in own if not name.startswith(allowed)} == set()
