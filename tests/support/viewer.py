"""A real WebSocket client of the lab's pictures: reads messages, acknowledges them or refuses to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import numpy as np
import simplejpeg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from rl_lab.worker.rendering.frame_protocol import split_picture_message
from support.server import Server
from support.waiting import DEADLINE_S


class Picture(NamedTuple):
    header: dict[str, Any]
    jpeg: bytes

    @property
    def pixels(self) -> np.ndarray:
        return simplejpeg.decode_jpeg(self.jpeg)


class Viewer:
    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket

    def next(self, *, ack: bool = True, timeout_s: float = DEADLINE_S) -> Picture:
        """The next message of any kind."""
        message = self._socket.recv(timeout_s)
        assert isinstance(message, bytes)
        header, jpeg = split_picture_message(message)
        if ack:
            self.ack()
        return Picture(header, jpeg)

    def ack(self) -> None:
        with suppress(ConnectionClosed):  # the last message was an error
            self._socket.send("ack")

    def wish(self, op: str, **more: Any) -> None:
        self._socket.send(json.dumps({"op": op, **more}))

    def picture(self) -> Picture:
        """The next message with a picture."""
        while not (found := self.next()).jpeg:
            assert found.header.get("op") != "error", found.header
        return found

    def seek(self, step: int) -> Picture:
        self.wish("seek", step=step)
        while (found := self.picture()).header["step"] != step:
            pass
        return found

    def error(self) -> dict[str, Any]:
        """The error message that ends this feed; pictures before it are let through."""
        while (header := self.next().header).get("op") != "error":
            pass
        return header

    def is_closed(self) -> bool:
        try:
            self._socket.recv(DEADLINE_S)
        except ConnectionClosed:
            return True
        return False


@contextmanager
def view(server: Server, path: str) -> Iterator[Viewer]:
    headers = {"Authorization": f"Bearer {server.token}"}
    url = server.url.replace("http://", "ws://") + path
    with connect(url, additional_headers=headers, compression=None, proxy=None) as socket:
        yield Viewer(socket)
