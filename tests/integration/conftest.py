"""A studio: one lab with trained agents, shared by all tests that look at what was learned."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.studio import Studio, open_studio


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with open_studio(tmp_path_factory.mktemp("studio") / "home") as opened:
        yield opened
