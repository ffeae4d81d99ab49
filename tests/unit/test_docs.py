"""The docs are true: every link leads somewhere, every generated page is fresh, every name exists."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
PATH = re.compile(
    r"`((?:src|web|tests|docs|scripts|bench|core|worker|runners|store|analysis|orchestrator|api|cli)/[\w./-]+)`"
)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_link_leads_to_a_file(page: Path) -> None:
    missing = [target for target in LINK.findall(page.read_text()) if not (page.parent / target).exists()]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_named_path_exists(page: Path) -> None:
    def exists(name: str) -> bool:
        return (ROOT / name).exists() or (ROOT / "src" / "rl_lab" / name).exists()

    assert [name for name in PATH.findall(page.read_text()) if not exists(name)] == []


def test_the_reference_is_fresh() -> None:
    found = subprocess.run(
        [sys.executable, "scripts/reference.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr


def test_every_command_of_the_quickstart_exists() -> None:
    text = "\n".join(page.read_text() for page in (ROOT / "README.md", ROOT / "docs" / "quickstart.md"))
    named = set(re.findall(r"rl-lab (?!--)([a-z][a-z-]*)", text)) - {"is", "and"}
    known = set(re.findall(r"^## `rl-lab ([\w-]+)`", (ROOT / "docs/reference/commands.md").read_text(), re.M))
    assert named <= known, named - known


def test_every_glossary_noun_of_the_core_is_explained() -> None:
    glossary = (ROOT / "docs" / "glossary.md").read_text()
    nouns = [
        "Run",
        "Attempt",
        "Guardian",
        "Recording",
        "Checkpoint",
        "Insight",
        "Finding",
        "Tick",
        "Preset",
        "Runner",
    ]
    assert [noun for noun in nouns if f"| {noun}" not in glossary] == []


def test_every_test_of_the_checklist_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs" / "qa.md").read_text())
    missing = [name for path, name in named if f"def {name}(" not in (ROOT / path).read_text()]
    assert named, "the checklist names no test"
    assert missing == []


def test_the_checklist_names_every_acceptance_test() -> None:
    checklist = (ROOT / "docs" / "qa.md").read_text()
    tests = (ROOT / "tests" / "acceptance").glob("test_*.py")
    found = [name for path in tests for name in re.findall(r"^def (test_\w+)", path.read_text(), re.M)]
    assert [name for name in found if f"::{name}`" not in checklist] == []
