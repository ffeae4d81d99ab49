"""A raw HTTP/1.1 client that sends any bytes as they are: no header is added, no address is cleaned up."""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterable
from typing import NamedTuple
from urllib.parse import urlsplit

from support.waiting import DEADLINE_S

SWITCHED = 101


class RawAnswer(NamedTuple):
    status: int
    """0 when the server closed the connection without an answer."""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    def header(self, name: str) -> str:
        return ", ".join(value for key, value in self.headers if key.lower() == name)

    @property
    def text(self) -> str:
        """Everything that was sent, headers included."""
        return (
            "\n".join(f"{key}: {value}" for key, value in self.headers) + "\n" + self.body.decode("latin-1")
        )


class RawClient:
    """One connection that is kept open, and opened again when the server has closed it."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.authority = parts.netloc
        self._address = (parts.hostname or "", parts.port or 80)
        self._socket: socket.socket | None = None

    def ask(
        self, method: str, target: str, headers: Iterable[tuple[str, str]] = (), body: bytes = b""
    ) -> RawAnswer:
        """A request with the right Host, unless `headers` have one."""
        given = list(headers)
        if not any(name.lower() == "host" for name, _ in given):
            given.insert(0, ("Host", self.authority))
        if body:
            given.append(("Content-Length", str(len(body))))
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in given)]
        return self.send("\r\n".join((*lines, "", "")).encode("utf-8", "surrogateescape") + body, method)

    def send(self, request: bytes, method: str = "GET") -> RawAnswer:
        """Sends these bytes. A connection that was closed while it was idle is opened again, once."""
        if self._socket is not None:
            try:
                return self._exchange(self._socket, request, method)
            except (http.client.HTTPException, ConnectionError):
                self.close()
        self._socket = socket.create_connection(self._address, timeout=DEADLINE_S)
        try:
            return self._exchange(self._socket, request, method)
        except (http.client.HTTPException, ConnectionError):
            self.close()
            return RawAnswer(0)

    def _exchange(self, connection: socket.socket, request: bytes, method: str) -> RawAnswer:
        connection.sendall(request)
        response = http.client.HTTPResponse(connection, method=method)
        try:
            response.begin()
            body = b"" if response.status == SWITCHED else response.read()
            answer = RawAnswer(response.status, tuple(response.getheaders()), body)
            if response.will_close or response.status == SWITCHED:
                self.close()
        finally:
            response.close()
        return answer

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def __enter__(self) -> RawClient:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
