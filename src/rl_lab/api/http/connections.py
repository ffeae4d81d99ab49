"""Connections that clients hold open: their deadlines, the size of their headers, how many strangers there may be.

uvicorn has no such limits. They are checked here, before anything of a request is stored.
"""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus

from starlette.datastructures import Headers
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.server import ServerState

from rl_lab.api.http.bodies import MAX_BODY_BYTES, MAX_OPEN_BODY_BYTES, MAX_UPLOAD_BYTES, is_upload
from rl_lab.api.http.problems import problem_response, status_problem
from rl_lab.api.http.security import PART_HEADERS, SAFE_METHODS, is_signed_in

HEAD_S = 10.0
"""From the first byte of a request, or from the opening of the connection, to the end of its headers."""
BODY_S = 10.0
BODY_BYTES = 10 << 10
"""A body has to bring this much within each `BODY_S`, or its end: 1 MiB passes on a line of 1 KiB/s."""
LINGER_S = 2.0
"""How long the rest of a body is read and dropped after the answer, so that the client can read the answer."""
MAX_HEAD_BYTES = 32 << 10
MAX_HEADERS = 100
MAX_STRANGERS = 256
"""Connections that have not shown the token: above this the oldest are closed, so that a new one always gets in."""
MAX_NEW_STRANGERS = 4096
"""The same for those younger than `NEW_S`, whose first request may not have been read yet."""
NEW_S = 5.0
REFUSALS = frozenset(
    {
        "Invalid HTTP request received.",
        "Unsupported upgrade request.",
        "ASGI callable returned without completing handshake.",  # of a WebSocket that the gate answered 401 or 403
    }
)
"""uvicorn's log lines about what clients did wrong: any stranger could fill the terminal with them."""


class ConnectionTable(ServerState):
    """uvicorn's list of all connections, and which of them have not shown the token."""

    def __init__(self, max_files: int) -> None:
        super().__init__()
        self._most_new = min(MAX_NEW_STRANGERS, max_files // 4)
        self._strangers: dict[LabConnection, float] = {}
        """In the order in which they came."""

    def add_stranger(self, connection: LabConnection, now: float) -> None:
        self._strangers[connection] = now
        if len(self._strangers) > self._most_new:
            next(iter(self._strangers)).drop()

    def is_stranger(self, connection: LabConnection) -> bool:
        return connection in self._strangers

    def forget_stranger(self, connection: LabConnection) -> None:
        self._strangers.pop(connection, None)

    def close_late(self, now: float) -> None:
        """Closes connections whose client is too slow, and the oldest strangers when there are too many."""
        for connection in list(self.connections):
            if isinstance(connection, LabConnection) and connection.is_late(now):
                connection.refuse(408, "The request did not arrive in time.")
        spare = len(self._strangers) - MAX_STRANGERS
        for connection, since in list(self._strangers.items())[: max(0, spare)]:
            if now - since >= NEW_S:
                connection.drop()


class LabConnection(HttpToolsProtocol):
    """One connection of a client, which may send several requests one after another."""

    server_state: ConnectionTable
    _waits_until: float | None = None
    """When the connection is closed unless the client has sent what is missing."""
    _is_in_head = False
    _is_in_body = False
    _is_refused = False
    _head_bytes = 0
    _body_bytes = 0
    """Received since the deadline was last moved."""
    _room = 0
    """Bytes of the body that are still stored; what follows is dropped, and the gate answers 413."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._waits_until = self.loop.time() + HEAD_S
        self.server_state.add_stranger(self, self.loop.time())

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def handle_websocket_upgrade(self) -> None:
        # From here on another protocol owns the connection; the gate admits or closes it at once.
        self._forget()
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        is_idle = not self._is_in_body and (self.cycle is None or self.cycle.response_complete)
        if is_idle and self._waits_until is None:
            self._waits_until = self.loop.time() + HEAD_S
        is_head = is_idle or self._is_in_head
        super().data_received(data)
        if is_head and self._is_in_head:
            # The parser keeps an unfinished header to itself, so its bytes are counted here.
            self._head_bytes += len(data)
            if self._head_bytes > MAX_HEAD_BYTES:
                self.refuse(431, TOO_MANY_HEADERS)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._is_in_head, self._head_bytes = True, 0
        self._waits_until = self.loop.time() + HEAD_S

    def on_headers_complete(self) -> None:
        if self._is_refused or self._refuse_head():
            return
        self._is_in_head = False
        is_known = self._is_signed_in()
        self._room = 1 + self._most_body_bytes(is_known)
        self._is_in_body, self._body_bytes = True, 0
        self._waits_until = self.loop.time() + BODY_S
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        if self._is_refused:
            return
        self._body_bytes += len(body)
        if self._body_bytes >= BODY_BYTES and not self.cycle.response_complete:
            self._body_bytes, self._waits_until = 0, self.loop.time() + BODY_S
        kept = body[: self._room]
        self._room -= len(kept)
        if kept:
            super().on_body(kept)

    def on_message_complete(self) -> None:
        if self._is_refused:
            return
        self._is_in_body, self._waits_until = False, None
        if self.cycle is not None and self.cycle.response_complete:
            self._waits_until = self.loop.time() + self.timeout_keep_alive
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._is_in_body:
            self._waits_until = self.loop.time() + LINGER_S

    def is_late(self, now: float) -> bool:
        if self._waits_until is None or now < self._waits_until:
            return False
        if self.flow.read_paused:  # the lab is the slow one
            self._waits_until = now + BODY_S
            return False
        return True

    def refuse(self, status: int, detail: str) -> None:
        """Closes the connection, with this answer where a request waits for one."""
        if self._is_answer_due() and not self.transport.is_closing():
            self.transport.write(_answer(status, detail))
        self.drop()

    def drop(self) -> None:
        """Closes the connection, also when its client does not read."""
        self._is_refused = True
        self._forget()
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()

    def _is_answer_due(self) -> bool:
        if self._is_in_head:
            return self.cycle is None or self.cycle.response_complete
        return self._is_in_body and not self.cycle.response_started

    def _refuse_head(self) -> bool:
        names = [name for name, _ in self.headers]
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if len(names) > MAX_HEADERS or size > MAX_HEAD_BYTES:
            self.refuse(431, TOO_MANY_HEADERS)
        elif names.count(b"host") > 1:
            self.refuse(400, "The request names its Host more than once.")
        return self._is_refused

    def _most_body_bytes(self, is_known: bool) -> int:
        if not is_known:
            return MAX_OPEN_BODY_BYTES
        path = self.url.partition(b"?")[0].decode("latin-1")
        is_file = is_upload(self.parser.get_method().decode("ascii"), path)
        return MAX_UPLOAD_BYTES if is_file else MAX_BODY_BYTES

    def _is_signed_in(self) -> bool:
        """Asked for the first request of a stranger and where a body may follow: the gate asks for all."""
        is_stranger = self.server_state.is_stranger(self)
        method = self.parser.get_method().decode("ascii")
        if not is_stranger and method in SAFE_METHODS:
            return False
        is_known = is_signed_in(self.config.app, Headers(raw=self.headers), self.url.partition(b"?")[2])
        if is_known and is_stranger:
            self.server_state.forget_stranger(self)
        return is_known

    def _forget(self) -> None:
        self._waits_until = None
        self.server_state.forget_stranger(self)


TOO_MANY_HEADERS = f"The headers are larger than {MAX_HEAD_BYTES >> 10} KiB or more than {MAX_HEADERS}."


def log_no_refusals() -> None:
    """Once per process; the answer says what was wrong."""
    logging.getLogger("uvicorn.error").addFilter(_is_no_refusal)


def _is_no_refusal(record: logging.LogRecord) -> bool:
    return record.msg not in REFUSALS


def _answer(status: int, detail: str) -> bytes:
    response = problem_response(status_problem(status, detail), {**PART_HEADERS, "Connection": "close"})
    lines = [
        STATUS_LINE[HTTPStatus(status)],
        *(b"%s: %s\r\n" % header for header in response.raw_headers),
        b"\r\n",
    ]
    return b"".join(lines) + bytes(response.body)
