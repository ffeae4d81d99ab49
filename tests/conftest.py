"""Fixtures for every suite: a home folder, and a real server process on it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.server import Server, serve


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home folder of a lab."""
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def server(home: Path) -> Iterator[Server]:
    """A lab of its own for one test."""
    with serve(home) as running:
        yield running


@pytest.fixture(scope="module")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One lab for all tests of a file that do not disturb each other."""
    home = tmp_path_factory.mktemp("lab") / "home"
    home.mkdir()
    with serve(home) as running:
        yield running
