"""One lab for all security tests of a worker process; a test that disturbs it starts a lab of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.server import Server, serve


@pytest.fixture(scope="package", autouse=True)
def real_calls() -> Iterator[None]:
    """Worker calls are never forked: their parents, variables and command lines are looked at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("REAL_CALLS", "1")
        yield


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A real server that all tests share. They may add runs, but not stop it or fill its queue."""
    home = tmp_path_factory.mktemp("security") / "home"
    home.mkdir(mode=0o700)
    with serve(home, RL_LAB_MAX_RUNNING="4", REAL_CALLS="1") as running:
        yield running
