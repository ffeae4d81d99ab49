"""Trying an environment ends when the client leaves."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.types import Message

from rl_lab.api.http.clients import Client
from rl_lab.api.routes.workbench.own_environments import check_own_environment
from rl_lab.core.errors import ClientLeft
from rl_lab.core.workbench.codes import CodeQuestion

pytestmark = pytest.mark.anyio


async def test_a_trial_is_cancelled_when_its_client_leaves() -> None:
    cancelled = asyncio.Event()

    async def check(_: CodeQuestion) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    workbench: Any = SimpleNamespace(own_environments=SimpleNamespace(check=check))
    client = Client(Request({"type": "http", "headers": []}, receive))
    with pytest.raises(ClientLeft):
        await check_own_environment(CodeQuestion(source="x = 1\n"), workbench, client)
    assert cancelled.is_set()
