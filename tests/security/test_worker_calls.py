"""Worker calls are counted, and end with the client that waits for them: nobody can fill the machine with them."""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request
from starlette.types import Message
from support.labs import furnish
from support.server import Server, serve
from support.waiting import wait_until, wait_until_async

from rl_lab.api.http.clients import Client
from rl_lab.core.errors import ClientLeft, NotReady
from rl_lab.orchestrator.shared_calls import SharedCalls
from rl_lab.orchestrator.viewing import renderers
from rl_lab.orchestrator.worker_calls import AT_ONCE, call_worker

STUCK = """
import subprocess, sys
subprocess.run([sys.executable, "-c", "import time; time.sleep(600)"])
"""
"""An environment that never gets ready, and waits for a process of its own."""
STUCK_ID = "stuck:Stuck-v0"


@pytest.fixture
def marker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The module is found by every worker; the text is among the variables of all processes of this test."""
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "stuck.py").write_text(STUCK)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "code"))
    name = f"rl-lab-test-{os.getpid()}-{tmp_path.name}"
    monkeypatch.setenv("LC_RL_LAB_TEST", name)
    return name


def workers(marker: str) -> list[int]:
    return [pid for pid, command in marked(marker).items() if b"rl_lab.worker.calls" in command]


def marked(marker: str) -> dict[int, bytes]:
    """Processes other than this one with the marker among their variables, and their command lines."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if marker.encode() in (folder / "environ").read_bytes():
                    found[int(folder.name)] = (folder / "cmdline").read_bytes()
            except OSError:
                continue
    return found


def test_b20_twelve_calls_at_once_have_as_many_processes_as_there_are_turns(marker: str) -> None:
    async def story() -> None:
        most = AT_ONCE["long"]
        question = {"env_id": STUCK_ID, "env_kwargs": {}}
        calls = [asyncio.create_task(call_worker("smoke_test", question)) for _ in range(12)]
        await wait_until_async(lambda: len(workers(marker)) >= most, "the first calls to start")
        # A short call does not wait behind them, and while it works no other long one has begun.
        assert (await call_worker("probe"))["cores"] >= 1
        assert len(workers(marker)) == most
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        assert all(call.cancelled() for call in calls)

    asyncio.run(story())
    assert marked(marker) == {}, "a call that is cancelled ends with everything it started"


@pytest.mark.usefixtures("marker")
def test_b20_a_client_that_leaves_ends_its_call(home: Path) -> None:
    furnish(home)
    with serve(home) as server:
        with closing(ask(server, f"GET /api/environments/{STUCK_ID}/thumbnail")):
            wait_until(lambda: stuck(server), "the worker to start")
        wait_until(lambda: not stuck(server), "the worker to end after its client")


def ask(server: Server, what: str) -> socket.socket:
    """A request on a connection of its own; the answer is not read."""
    address = urlsplit(server.url)
    client = socket.create_connection((address.hostname, address.port))
    head = f"{what} HTTP/1.1\r\nHost: {address.netloc}\r\nAuthorization: Bearer {server.token}\r\n\r\n"
    client.sendall(head.encode())
    return client


def stuck(server: Server) -> list[int]:
    """Processes below the server that wait for the stuck module."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                stat = (folder / "stat").read_bytes().rpartition(b")")[2].split()
                parents[int(folder.name)] = (int(stat[1]), (folder / "cmdline").read_bytes())
            except (OSError, IndexError):
                continue
    below = {server.process.pid}
    for _ in range(5):
        below |= {pid for pid, (parent, _) in parents.items() if parent in below}
    return [pid for pid in below if b"time.sleep(600)" in parents.get(pid, (0, b""))[1]]


def request_that_ends_with(*messages: Message) -> Request:
    waiting = list(messages)

    async def receive() -> Message:
        if not waiting:
            await asyncio.Event().wait()
        return waiting.pop(0)

    return Request({"type": "http", "headers": []}, receive)


def test_b20_work_is_cancelled_when_its_client_leaves_and_only_then() -> None:
    async def work() -> str:
        await asyncio.sleep(0)
        return "done"

    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    async def story() -> None:
        body: Message = {"type": "http.request", "body": b"", "more_body": False}
        assert await Client(request_that_ends_with(body)).waits_for(work()) == "done"
        with pytest.raises(ClientLeft):
            await Client(request_that_ends_with(body, {"type": "http.disconnect"})).waits_for(forever())

    ended: list[bool] = []
    asyncio.run(story())
    assert ended == [True]


def test_b20_shared_work_continues_until_the_last_who_waits_has_left() -> None:
    async def story() -> None:
        shared: SharedCalls[str] = SharedCalls()
        release, started, cancelled = asyncio.Event(), [], []

        async def work() -> str:
            started.append(True)
            try:
                await release.wait()
            except asyncio.CancelledError:
                cancelled.append(True)
                raise
            return "done"

        first, second = (asyncio.create_task(shared.ask("key", work)) for _ in range(2))
        await wait_until_async(lambda: bool(started), "the work to begin")
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        release.set()
        assert await second == "done"
        assert (started, cancelled) == ([True], [])
        release.clear()
        third = asyncio.create_task(shared.ask("key", work))
        await wait_until_async(lambda: len(started) == 2, "the work to begin again")
        third.cancel()
        await asyncio.gather(third, return_exceptions=True)
        await wait_until_async(lambda: bool(cancelled), "the work to be cancelled")

    asyncio.run(story())


def test_twenty_renderers_at_once_are_no_more_than_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renderers, "MAX_RENDERERS", 2)

    async def story() -> None:
        drawing = renderers.Renderers()
        asked = (drawing.start({"mode": "preview", "env_id": "CartPole-v1"}) for _ in range(20))
        answers = await asyncio.gather(*asked, return_exceptions=True)
        await drawing.close()
        assert sum(isinstance(one, renderers.Renderer) for one in answers) == 2
        assert sum(isinstance(one, NotReady) for one in answers) == 18

    asyncio.run(story())
