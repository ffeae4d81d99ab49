"""The play's own socket: one seat for the player, any number for those who watch.

Everything happens on one thread: a message is read as soon as it is there, and a frame that a slow client has not taken
is replaced by the next one. Messages in: 4 bytes of length, then JSON. Out: 4 bytes of length, then a frame message.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
from pathlib import Path
from typing import Any

from rl_lab.portable.frame_protocol import LENGTH, frame_message, with_length
from rl_lab.portable.short_paths import short_path
from rl_lab.worker.plays.socket_file import SOCKET_FILE

MAX_MESSAGE = 1 << 20
MAX_CLIENTS = 16
TAKEN = "Somebody plays already: you can watch, and play when the seat is free."


class PlayClient:
    """A connection; its unsent bytes are one message at most, and the newest frame waits behind it."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.inbox = bytearray()
        self.outbox = bytearray()
        self.notes: list[bytes] = []
        """Messages that are not frames: none of them is left out."""
        self.frame = b""

    def send(self) -> bool:
        """As much as the client takes; False when it is gone."""
        while self._refill():
            try:
                sent = self.connection.send(self.outbox)
            except BlockingIOError:
                return True
            except OSError:
                return False
            del self.outbox[:sent]
        return True

    def _refill(self) -> bool:
        if not self.outbox:
            if self.notes:
                self.outbox += with_length(self.notes.pop(0))
            elif self.frame:
                self.outbox += with_length(self.frame)
                self.frame = b""
        return bool(self.outbox)

    def receive(self) -> list[dict[str, Any]] | None:
        """The whole messages that have come; None when the client is gone."""
        try:
            data = self.connection.recv(1 << 16)
        except BlockingIOError:
            return []
        except OSError:
            return None
        if not data:
            return None
        self.inbox += data
        return self._whole()

    def _whole(self) -> list[dict[str, Any]] | None:
        found = []
        while len(self.inbox) >= LENGTH.size:
            (size,) = LENGTH.unpack_from(self.inbox)
            if size > MAX_MESSAGE:
                return None
            if len(self.inbox) < LENGTH.size + size:
                break
            with contextlib.suppress(ValueError):
                message = json.loads(bytes(self.inbox[LENGTH.size : LENGTH.size + size]))
                if isinstance(message, dict):
                    found.append(message)
            del self.inbox[: LENGTH.size + size]
        return found


class Seats:
    def __init__(self, folder: Path) -> None:
        self._path = folder / SOCKET_FILE
        self._selector = selectors.DefaultSelector()
        self._listener = _listen(self._path)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._bell, self._ringer = os.pipe()
        os.set_blocking(self._ringer, False)
        self._selector.register(self._bell, selectors.EVENT_READ)
        self._clients: list[PlayClient] = []
        self.player: PlayClient | None = None
        self._last_frame = b""
        self._announced = b""
        self.player_left = False
        """Set when the player's connection was lost; the caller clears it."""
        self.player_came = False
        """Set when somebody has sat down, who gets no frame before the caller's next one; the caller clears it."""

    @property
    def is_empty(self) -> bool:
        return not self._clients

    def wake(self) -> None:
        """From any thread: `wait` returns."""
        with contextlib.suppress(OSError):
            os.write(self._ringer, b"!")

    def wait(self, seconds: float) -> list[dict[str, Any]]:
        """Waits for messages, at most so long; returns those of the player."""
        said: list[dict[str, Any]] = []
        for key, events in self._selector.select(max(0.0, seconds)):
            if key.fileobj is self._listener:
                self._accept()
            elif key.fileobj == self._bell:
                os.read(self._bell, 4096)
            else:
                said += self._serve(key.data, events)
        return said

    def show(self, frame: bytes) -> None:
        """To everybody; a frame that was not sent yet is replaced."""
        self._last_frame = frame
        for client in list(self._clients):
            client.frame = frame
            self._push(client)

    def announce(self, message: bytes) -> None:
        """To everybody, and to those who come later; replaces what was announced before."""
        self._announced = message
        for client in list(self._clients):
            client.notes.append(message)
            self._push(client)

    def close(self) -> None:
        for client in list(self._clients):
            client.connection.setblocking(True)
            client.connection.settimeout(1.0)
            client.send()
            self._drop(client)
        self._selector.close()
        self._listener.close()
        self._path.unlink(missing_ok=True)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            connection, _ = self._listener.accept()
            if len(self._clients) >= MAX_CLIENTS:
                connection.close()
                return
            connection.setblocking(False)
            client = PlayClient(connection)
            self._clients.append(client)
            self._selector.register(connection, selectors.EVENT_READ, client)
            if self.player is None:
                self._seat(client)
            else:
                self._note(client, "watcher", is_free=False)
                client.frame = self._last_frame
            client.notes += [self._announced] if self._announced else []
            self._push(client)

    def _serve(self, client: PlayClient, events: int) -> list[dict[str, Any]]:
        if client not in self._clients:
            return []
        if events & selectors.EVENT_WRITE:
            self._push(client)
        if not events & selectors.EVENT_READ:
            return []
        messages = client.receive()
        if messages is None:
            self._drop(client)
            return []
        if messages and self.player is None:
            self._seat(client)
        if client is self.player:
            return messages
        if any(message.get("op") != "quiet" for message in messages):
            self._note(client, "watcher", is_free=False)
            self._push(client)
        return []

    def _seat(self, client: PlayClient) -> None:
        self.player, self.player_came = client, True
        self._note(client, "player", is_free=False)
        self._push(client)

    def _note(self, client: PlayClient, role: str, *, is_free: bool) -> None:
        message = TAKEN if role == "watcher" and not is_free else ""
        client.notes.append(
            frame_message({"op": "role", "role": role, "is_free": is_free, "message": message})
        )

    def _push(self, client: PlayClient) -> None:
        if client not in self._clients:
            return
        if not client.send():
            self._drop(client)
            return
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if client.outbox else 0)
        self._selector.modify(client.connection, wanted, client)

    def _drop(self, client: PlayClient) -> None:
        self._clients.remove(client)
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(client.connection)
        client.connection.close()
        if client is self.player:
            self.player, self.player_left = None, True
            for other in list(self._clients):
                self._note(other, "watcher", is_free=True)
                self._push(other)


def _listen(path: Path) -> socket.socket:
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    with short_path(str(path)) as address:
        listener.bind(address)
    path.chmod(0o600)
    listener.listen(8)
    listener.setblocking(False)
    return listener
