"""SECURITY.md is kept: each promise names tests that exist, and each table has its columns."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "SECURITY.md").read_text()
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def rows(heading: str) -> list[list[str]]:
    """The cells of the table under a heading, its head first and without the line below it."""
    section = TEXT.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in (lines[0], *lines[2:])]


def test_every_promise_names_a_test_that_exists() -> None:
    head, *promises = rows("What is promised to whom")
    assert head == ["against", "promise", "how", "test"]
    assert [row[1] for row in promises if not NAMED.search(row[3])] == []
    missing = [f"{path}::{name}" for path, name in NAMED.findall(TEXT) if not exists(path, name)]
    assert missing == []


def exists(path: str, name: str) -> bool:
    file = ROOT / path
    return file.is_file() and f"def {name}(" in file.read_text()


@pytest.mark.parametrize(
    ("heading", "columns"),
    [
        ("Who and what we protect against", ["who or what", "what it can do", "what it must not reach"]),
        ("What a confined program can still do", ["what", "why", "level"]),
    ],
)
def test_every_row_of_a_table_is_complete(heading: str, columns: list[str]) -> None:
    head, *found = rows(heading)
    assert head == columns
    assert [row for row in found if len(row) != len(columns) or not all(row)] == []


def test_every_open_cell_has_a_level() -> None:
    levels = {row[2] for row in rows("What a confined program can still do")[1:]}
    assert levels <= {"low", "medium", "high"}
