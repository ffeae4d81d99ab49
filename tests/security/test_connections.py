"""Deadlines and numbers of connections: the real ones before a tiny application, with a clock that the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
import uvicorn
from fastapi import FastAPI, Request
from support.raw_clients import request
from support.sessions import OneSession
from support.waiting import wait_until_async

from rl_lab.api.http.connections import (
    BODY_BYTES,
    BODY_S,
    HEAD_S,
    LINGER_S,
    MAX_STRANGERS,
    NEW_S,
    ConnectionTable,
    LabConnection,
)
from rl_lab.api.http.problems import install_problems
from rl_lab.api.http.security import Gate
from rl_lab.api.http.tokens import Keyring

TOKEN = "t" * 43
BEARER = f"Authorization: Bearer {TOKEN}"


@dataclass
class Client:
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def status(self) -> int:
        """Of the next answer; 0 when the connection ends without one."""
        head = await self.reader.readline()
        return int(head.split()[1]) if head else 0


@dataclass
class Desk:
    table: ConnectionTable
    address: tuple[str, int]
    started: asyncio.Event
    clients: list[Client] = field(default_factory=list)

    async def open(self, *sent: bytes) -> Client:
        client = Client(*await asyncio.open_connection(*self.address))
        self.clients.append(client)
        for data in sent:
            await self.send(client, data)
        return client

    async def close(self) -> None:
        for client in self.clients:
            client.writer.close()
        await self.holds(0)

    async def send(self, client: Client, data: bytes) -> None:
        """Returns when the server has read it."""
        client.writer.write(data)
        await client.writer.drain()
        await self.settle()

    async def settle(self) -> None:
        """One more client is answered: what others sent before has been read."""
        reader, writer = await asyncio.open_connection(*self.address)
        writer.write(self.request("GET /api/nothing", "Connection: close", BEARER))
        await reader.read()
        writer.close()

    def request(self, line: str, *headers: str) -> bytes:
        return request(self.address, line, *headers)

    def pass_time(self, seconds: float) -> None:
        """Does what the server does once a second, so many seconds later."""
        self.table.close_late(asyncio.get_running_loop().time() + seconds)

    async def holds(self, count: int) -> None:
        await wait_until_async(
            lambda: len(self.table.connections) == count,
            lambda: f"{count} connections; there are {len(self.table.connections)}",
        )


@asynccontextmanager
async def open_desk() -> AsyncIterator[Desk]:
    app = FastAPI()
    app.state.keyring = Keyring(TOKEN, OneSession())
    started, release = asyncio.Event(), asyncio.Event()
    app.add_middleware(Gate, hosts=[])
    install_problems(app)

    @app.post("/api/echo")
    async def echo(request: Request) -> int:
        return len(await request.body())

    @app.get("/api/wait")
    async def wait() -> None:
        started.set()
        await release.wait()

    config = uvicorn.Config(app, http=LabConnection, lifespan="off", log_config=None)
    table = ConnectionTable(max_files=16_384)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: LabConnection(config, table, {}, loop), "127.0.0.1", 0)
    desk = Desk(table, server.sockets[0].getsockname()[:2], started)
    try:
        yield desk
    finally:
        release.set()
        await desk.close()
        server.close()
        await asyncio.gather(*table.tasks, return_exceptions=True)


def at_a_desk(check: Callable[[Desk], Coroutine[None, None, None]]) -> None:
    async def work() -> None:
        async with open_desk() as desk:
            await check(desk)

    asyncio.run(work())


@pytest.mark.parametrize(("sent", "status"), [(b"", 0), (b"GET / HTTP/1.1\r\nHost: x", 408), (b"\r\n", 0)])
def test_b10_a_half_request_is_closed_after_its_deadline(sent: bytes, status: int) -> None:
    async def check(desk: Desk) -> None:
        client = await desk.open(sent)
        desk.pass_time(HEAD_S - 5)
        await desk.holds(1)
        desk.pass_time(HEAD_S + 1)
        assert await client.status() == status
        await desk.holds(0)

    at_a_desk(check)


def test_b10_empty_lines_do_not_keep_an_answered_connection_open() -> None:
    async def check(desk: Desk) -> None:
        client = await desk.open(desk.request("GET /api/nothing", BEARER), b"\r\n")
        assert await client.status() == 404
        await desk.send(client, b"\r\n")
        desk.pass_time(HEAD_S + 1)
        await desk.holds(0)

    at_a_desk(check)


def test_b10_a_body_that_stops_or_trickles_is_closed() -> None:
    async def check(desk: Desk) -> None:
        client = await desk.open(desk.request("POST /api/echo", BEARER, "Content-Length: 1000"), b"x" * 10)
        desk.pass_time(BODY_S - 5)
        await desk.holds(1)
        await desk.send(client, b"x")
        desk.pass_time(BODY_S + 1)
        assert await client.status() == 408
        await desk.holds(0)

    at_a_desk(check)


def test_b10_a_slow_body_that_moves_on_passes() -> None:
    async def check(desk: Desk) -> None:
        size = 4 * BODY_BYTES
        client = await desk.open(desk.request("POST /api/echo", BEARER, f"Content-Length: {size}"))
        connection = next(iter(desk.table.connections))
        assert isinstance(connection, LabConnection)
        for _ in range(4):
            # Nearly late each time: the clock of this connection is turned, not the machine's.
            assert connection._waits_until is not None
            connection._waits_until -= BODY_S - 1
            desk.pass_time(0)
            await desk.send(client, b"x" * BODY_BYTES)
        assert await client.status() == 200

    at_a_desk(check)


def test_b10_the_rest_of_a_refused_body_is_not_read_for_long() -> None:
    async def check(desk: Desk) -> None:
        client = await desk.open(desk.request("POST /api/echo", "Content-Length: 100000"), b"x" * 50_000)
        assert await client.status() == 401
        desk.pass_time(LINGER_S / 2)
        await desk.holds(1)
        desk.pass_time(LINGER_S + 1)
        await desk.holds(0)

    at_a_desk(check)


def test_b10_an_answer_that_takes_long_is_not_the_clients_fault() -> None:
    async def check(desk: Desk) -> None:
        await desk.open(desk.request("GET /api/wait", BEARER))
        await desk.started.wait()
        desk.pass_time(3600)
        await desk.holds(1)

    at_a_desk(check)


def test_b10_the_oldest_strangers_are_closed_for_new_ones() -> None:
    async def check(desk: Desk) -> None:
        await desk.open(desk.request("GET /api/wait", BEARER))
        oldest = await desk.open()
        for _ in range(MAX_STRANGERS):
            await desk.open()
        await desk.holds(MAX_STRANGERS + 2)
        # All are new: their first request may still be on its way.
        desk.pass_time(0)
        await desk.holds(MAX_STRANGERS + 2)
        desk.pass_time(NEW_S + 0.5)
        await desk.holds(MAX_STRANGERS + 1)
        assert await oldest.status() == 0

    at_a_desk(check)


def test_b10_far_too_many_strangers_are_closed_at_once() -> None:
    async def check(desk: Desk) -> None:
        desk.table._most_new = 3
        clients = [await desk.open() for _ in range(5)]
        await desk.holds(3)
        assert [await client.status() for client in clients[:2]] == [0, 0]

    at_a_desk(check)
