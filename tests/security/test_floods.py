"""Clients without the token cannot take the lab's memory, connections or time."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import psutil
import pytest
from support.raw_clients import address_of, raw_clients, request, status_of
from support.server import Server
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from rl_lab.api.http import connections
from rl_lab.api.http.bodies import MAX_BODY_BYTES, MAX_OPEN_BODY_BYTES
from rl_lab.api.http.connections import REFUSALS

MEGABYTE = 1_000_000
IS_LONG = os.environ.get("RL_LAB_CHAOS") == "long"
FLOOD = 1000 if IS_LONG else 200
BOUND_BYTES = 50 * MEGABYTE
JSON = "Content-Type: application/json"


@pytest.mark.chaos
def test_b10_half_bodies_without_a_token_take_no_memory(lab: Server) -> None:
    address = address_of(lab.url)
    lab.client.get("/api/runs")
    before = resident_bytes(lab)
    with raw_clients(address, FLOOD) as clients:
        for client in clients:
            client.sendall(request(address, "POST /api/session", JSON, f"Content-Length: {MEGABYTE}"))
            client.setblocking(False)
        for _ in range(16):
            for client in clients:
                with contextlib.suppress(OSError):
                    client.send(b" " * 60_000)
        assert lab.client.get("/api/runs").status_code == 200
        assert resident_bytes(lab) - before < BOUND_BYTES
        with lab.stranger() as browser:
            assert browser.get("/").status_code == 200
    assert resident_bytes(lab) - before < BOUND_BYTES


def resident_bytes(lab: Server) -> int:
    found: int = psutil.Process(lab.process.pid).memory_info().rss
    return found


@pytest.mark.parametrize(
    ("path", "length", "status"),
    [
        ("/api/session", MAX_OPEN_BODY_BYTES + 1, 413),
        ("/", MAX_OPEN_BODY_BYTES + 1, 413),
        ("/api/runs", 100, 401),
        ("/api/runs", MAX_BODY_BYTES, 401),
    ],
)
def test_b10_a_stranger_is_answered_before_the_body(lab: Server, path: str, length: int, status: int) -> None:
    address = address_of(lab.url)
    with raw_clients(address) as [client]:
        client.sendall(request(address, f"POST {path}", JSON, f"Content-Length: {length}"))
        assert status_of(client) == status


def test_b10_chunks_without_an_end_are_refused_at_an_open_address(lab: Server) -> None:
    address = address_of(lab.url)
    with raw_clients(address) as [client]:
        client.sendall(request(address, "POST /api/session", JSON, "Transfer-Encoding: chunked"))
        for _ in range(3):
            client.sendall(b"800\r\n" + b" " * 0x800 + b"\r\n")
        assert status_of(client) == 413


def test_b10_a_body_of_a_mebibyte_passes_with_the_token(lab: Server) -> None:
    body = b'{"env_id": "' + b"x" * (MAX_BODY_BYTES - 14) + b'"}'
    assert len(body) == MAX_BODY_BYTES
    answer = lab.client.post("/api/runs", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        (["X: y"] * connections.MAX_HEADERS, 431),
        ([f"X: {'y' * connections.MAX_HEAD_BYTES}"], 431),
        (["Host: 127.0.0.1"], 400),
        (["Host: evil.example"], 400),
        (["X: y"] * 50, 200),
    ],
)
def test_b10_odd_headers_are_refused(lab: Server, headers: list[str], status: int) -> None:
    address = address_of(lab.url)
    with raw_clients(address) as [client]:
        client.sendall(request(address, "GET /api/health", *headers))
        assert status_of(client) == status


def test_b10_a_header_without_an_end_is_refused(lab: Server) -> None:
    address = address_of(lab.url)
    with raw_clients(address) as [client]:
        client.sendall(request(address, "GET /api/health", "X: ")[:-4])
        for _ in range(5):
            client.sendall(b"y" * 10_000)
        assert status_of(client) == 431


def test_refused_clients_write_nothing_into_the_labs_output(lab: Server) -> None:
    address = address_of(lab.url)
    errors = Path(f"{lab.home}.stderr")
    before = len(errors.read_text())
    with pytest.raises(InvalidStatus), connect(lab.url.replace("http://", "ws://") + "/api/live"):
        pass
    for raw in (b"nonsense\r\n\r\n", request(address, "GET /", "Connection: Upgrade", "Upgrade: h2c")):
        with raw_clients(address) as [client]:
            client.sendall(raw)
            assert status_of(client) in {200, 400}
    added = errors.read_text()[before:]
    assert [line for line in REFUSALS if line in added] == []
