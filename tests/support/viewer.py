"""A real WebSocket client for the lab's frames: reads messages, acknowledges them or does not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import numpy as np
import simplejpeg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from rl_lab.portable.frame_protocol import (
    FrameHeader,
    PlayEnded,
    PlayHeader,
    PlayKeys,
    PlayRole,
    ReplayFrameHeader,
    ReplayOpened,
    ReplayState,
    split_frame_message,
)
from support.server import Server
from support.waiting import DEADLINE_S

NOTES: dict[str, Any] = {
    "opened": ReplayOpened,
    "state": ReplayState,
    "role": PlayRole,
    "controls": PlayKeys,
    "ended": PlayEnded,
}
FRAMES: dict[str, Any] = {"replay": ReplayFrameHeader, "play": PlayHeader}


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
        header, jpeg = split_frame_message(message)
        assert header.keys() <= _declared(header), header
        if ack:
            self.ack()
        return Picture(header, jpeg)

    def ack(self) -> None:
        with suppress(ConnectionClosed):  # the last message was an error
            self._socket.send("ack")

    def send(self, op: str, **more: Any) -> None:
        self._socket.send(json.dumps({"op": op, **more}))

    def picture(self) -> Picture:
        """The next message with a picture."""
        while not (found := self.next()).jpeg:
            assert found.header.get("op") != "error", found.header
        return found

    def seek(self, step: int) -> Picture:
        self.send("seek", step=step)
        while (found := self.picture()).header["step"] != step:
            pass
        return found

    def error(self) -> dict[str, Any]:
        """The error message that ends this feed; pictures before it are let through."""
        while (header := self.next().header).get("op") != "error":
            pass
        return header

    def close(self) -> None:
        self._socket.close()

    def is_closed(self) -> bool:
        try:
            self._socket.recv(DEADLINE_S)
        except ConnectionClosed:
            return True
        return False


def _declared(header: dict[str, Any]) -> set[str]:
    """The fields that the page's generated types have for such a message."""
    if header.get("op") == "error":
        return set(header)  # a problem, as every route sends it
    if "op" in header:
        return set(NOTES[header["op"]].__annotations__)
    return set(FRAMES.get(header["source"], FrameHeader).__annotations__)


@contextmanager
def view(server: Server, path: str) -> Iterator[Viewer]:
    headers = {"Authorization": f"Bearer {server.token}"}
    url = server.url.replace("http://", "ws://") + path
    with connect(url, additional_headers=headers, compression=None, proxy=None) as socket:
        yield Viewer(socket)
