"""What a foreign interpreter imports of the lab is old enough for it, and needs nothing it may lack."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

import rl_lab
from rl_lab.worker.capture.hooks import TAPS

PACKAGE = Path(rl_lab.__file__).parent
CAPTURE = PACKAGE / "worker" / "capture"


def imported_at_once(tree: ast.Module) -> list[str]:
    """Modules a file imports when it is itself imported: not in functions, not for type checkers."""
    names: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
    return names


def reached() -> dict[str, Path]:
    """Every module of the lab that is loaded before a script's own libraries, or to tap them."""
    taps = {target.partition(":")[0] for target in TAPS.values()}
    waiting = [CAPTURE / f"{name}.py" for name in ("start", "running", *sorted(taps))]
    found: dict[str, Path] = {}
    while waiting:
        path = waiting.pop()
        name = str(path.relative_to(PACKAGE))
        if name in found:
            continue
        found[name] = path
        for module in imported_at_once(ast.parse(path.read_bytes())):
            if module.startswith("rl_lab."):
                waiting.append(PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py"))
    return found


@pytest.mark.parametrize("name", sorted(reached()))
def test_a_file_loaded_for_a_script_imports_the_standard_library_only(name: str) -> None:
    tops = {module.partition(".")[0] for module in imported_at_once(ast.parse((PACKAGE / name).read_bytes()))}
    assert tops - set(sys.stdlib_module_names) <= {"rl_lab"}


@pytest.mark.parametrize(
    "name", sorted({*reached(), *(f"worker/capture/{p.name}" for p in CAPTURE.glob("*.py"))})
)
def test_a_file_loaded_for_a_script_is_python_3_10(name: str) -> None:
    assert ast.parse((PACKAGE / name).read_bytes(), feature_version=(3, 10)).body


def test_capture_reaches_no_model_of_the_core() -> None:
    core = {name for name in reached() if name.startswith("core/")}
    assert core <= {"core/bounds.py", "core/__init__.py"}
