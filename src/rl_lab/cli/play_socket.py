"""A player without a page: speaks to a play over its socket, one message after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.words.amounts import plural

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


class PlaySocket:
    def __init__(self, socket: Any) -> None:
        self._socket = socket
        self._n = 0

    def tell(self, op: str, **more: Any) -> dict[str, Any]:
        """Sends a message; returns the header of the first frame that takes it into account."""
        self._n += 1
        self._socket.send(json.dumps({"op": op, "n": self._n, **more}))
        while (header := self.next())["heard"] < self._n:
            pass
        return header

    def next(self) -> dict[str, Any]:
        """The header of the next frame."""
        from rl_lab.portable.frame_protocol import split_frame_message

        while True:
            message = self._socket.recv()
            self._socket.send("ack")
            header, _ = split_frame_message(message)
            match header.get("op"):
                case None:
                    return header
                case "error":
                    raise NotReady(header["message"], next_step=header.get("next_step"))
                case "role" if header["role"] == "watcher" and not header["is_free"]:
                    raise NotReady(header["message"], next_step="Start a play of your own.")
                case "ended":
                    raise NotReady(header["message"], next_step="`rl-lab show` has its result.")

    def end(self) -> None:
        """Ends the play; everything that was played is kept.

        A frame that was received when Ctrl-C came was not acknowledged, and the lab would wait for that.
        """
        from websockets.exceptions import ConnectionClosed

        try:
            self._socket.send(json.dumps({"op": "end"}))
            self._socket.send("ack")
            while True:
                self._socket.recv()
                self._socket.send("ack")
        except ConnectionClosed:
            return


@contextmanager
def open_play(client: LabClient, run_id: str) -> Iterator[PlaySocket]:
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    url = f"{client.url.replace('http', 'ws', 1)}/api/plays/{run_id}/socket"
    headers = {"Authorization": f"Bearer {client.token}"}
    with connect(url, additional_headers=headers, max_size=None, compression=None) as socket:
        try:
            yield PlaySocket(socket)
        except ConnectionClosed:
            raise NotReady(
                "The connection to the play was lost.", next_step=f"`rl-lab show {run_id}` says how it is."
            ) from None


def require_played(header: dict[str, Any], action: Any, number: int) -> None:
    """InvalidInput when an action was refused; `number` counts from 1."""
    problem = header.get("problem")
    if not problem:
        return
    kept = f" The {plural(number - 1, 'action')} before it were played and are kept." if number > 2 else ""
    kept = " The action before it was played and is kept." if number == 2 else kept
    raise InvalidInput(
        f"Action {number:,} ({json.dumps(action)}) was refused: {problem['message']}{kept}",
        next_step="Correct it in the file and play again.",
    )
