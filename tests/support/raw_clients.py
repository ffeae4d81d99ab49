"""Clients that speak HTTP byte by byte: half requests, slow bodies, odd headers."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator

from support.waiting import DEADLINE_S


def request(address: tuple[str, int], line: str, *headers: str, body: bytes = b"") -> bytes:
    """The bytes of a request with a Host header and these."""
    lines = [f"{line} HTTP/1.1", f"Host: {address[0]}:{address[1]}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def address_of(url: str) -> tuple[str, int]:
    host, _, port = url.removeprefix("http://").partition(":")
    return host, int(port)


@contextlib.contextmanager
def raw_clients(address: tuple[str, int], count: int = 1) -> Iterator[list[socket.socket]]:
    """Open connections, closed at the end."""
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(socket.create_connection(address, timeout=DEADLINE_S)) for _ in range(count)
        ]


def status_of(client: socket.socket) -> int:
    """The status of the next answer; 0 when the connection ends without one."""
    line = b""
    with contextlib.suppress(ConnectionError):
        while b"\r\n" not in line and (data := client.recv(64)):
            line += data
    return int(line.split()[1]) if line else 0
