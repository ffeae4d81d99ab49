"""What a foreign interpreter loads of the lab: the standard library only, in the words of Python 3.10."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import rl_lab

PACKAGE = Path(rl_lab.__file__).parent
WITH_GYMNASIUM = {"vectors_029", "wrappers_029"}
"""Imported only where the script has imported gymnasium."""
SHARED = [
    "core/bounds.py",
    *(f"worker/{n}.py" for n in ("actions", "generators", "recording", "recorded_env", "traces")),
]
FILES = sorted({*(PACKAGE / path for path in SHARED), *(PACKAGE / "worker" / "capture").glob("*.py")})


def imported(tree: ast.Module) -> set[str]:
    """Modules imported when the file is: not in functions, not for type checkers."""
    found: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_needs_nothing_but_python_3_10(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"), feature_version=(3, 10))
    may = set(sys.stdlib_module_names) | {"rl_lab"}
    if path.stem in WITH_GYMNASIUM | {"recorded_env"}:
        may |= {"gymnasium", "numpy"}
    assert {name.partition(".")[0] for name in imported(tree)} <= may


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_needs_only_such_files_of_the_lab(path: Path) -> None:
    known = {str(p.relative_to(PACKAGE.parent).with_suffix("")).replace("/", ".") for p in FILES}
    known |= {"rl_lab.worker.capture"}
    own = {name for name in imported(ast.parse(path.read_text("utf-8"))) if name.startswith("rl_lab")}
    assert own <= known | {"rl_lab.worker.control", "rl_lab.worker.checkpoints", "rl_lab.worker.machine"}
