"""A studio: one lab with trained agents, shared by all tests that look at what was learned; and forked worker calls."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.forked_calls import calling_asyncio
from support.forked_lab import preloaded
from support.studio import Studio, open_studio

from rl_lab.orchestrator import worker_process


@pytest.fixture(scope="package", autouse=True)
def forked_calls() -> Iterator[None]:
    """Labs in the process of the tests have their worker calls forked, as labs in processes of their own do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker_process, "asyncio", calling_asyncio(preloaded("learners")))
        yield


@pytest.fixture(scope="session")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with open_studio(tmp_path_factory.mktemp("studio") / "home") as opened:
        yield opened
