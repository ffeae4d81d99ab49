"""A command that plays without a page: what it sends when it ends, or is interrupted."""

from __future__ import annotations

from collections import deque

import pytest
from websockets.exceptions import ConnectionClosedOK

from rl_lab.cli.play_socket import PlaySocket
from rl_lab.portable.frame_protocol import frame_message

FRAME = frame_message({"heard": 0})


class Waiting(Exception):
    """The command waits for a message that the lab does not send."""


class Lab:
    """Sends two frames ahead, and each further message once one was acknowledged."""

    def __init__(self) -> None:
        self._left = deque([FRAME, FRAME, frame_message({"op": "ended", "message": ""})])
        self._credits = 2
        self.is_interrupted = True

    def send(self, message: str) -> None:
        if message == "ack":
            self._credits += 1

    def recv(self) -> bytes:
        if not self._left:
            raise ConnectionClosedOK(None, None)
        if not self._credits:
            raise Waiting
        self._credits -= 1
        message = self._left.popleft()
        if self.is_interrupted:
            self.is_interrupted = False
            raise KeyboardInterrupt
        return message


def test_a_play_that_is_interrupted_between_frame_and_acknowledgement_ends() -> None:
    socket = PlaySocket(Lab())
    with pytest.raises(KeyboardInterrupt):
        socket.next()
    socket.end()
