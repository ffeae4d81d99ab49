"""`python -m rl_lab.worker.rendering`: a process that draws frames, running only while there is a viewer.

The first message says what to play; after it, viewers' commands come in on stdin and frames go out on stdout. The
process exits when stdin is closed.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any, BinaryIO, Protocol

import msgspec

from rl_lab.portable.frame_protocol import read_message, write_message
from rl_lab.worker.failures import explain
from rl_lab.worker.rendering.live_player import LivePlayer
from rl_lab.worker.rendering.replay_player import ReplayPlayer
from rl_lab.worker.rendering.stage_player import StagePlayer


class Player(Protocol):
    """Returns a frame at each tick of the clock, and handles viewers' commands."""

    fps: float

    def handle(self, message: dict[str, Any]) -> bytes | None: ...
    def tick(self) -> bytes | None: ...
    def close(self) -> None: ...


PLAYERS: dict[str, Callable[[dict[str, Any]], Player]] = {
    "live": LivePlayer,
    "replay": ReplayPlayer,
    "preview": StagePlayer,
    "stage": StagePlayer,
}


NICENESS = 5
"""After the first picture, for which somebody waits, training has priority over drawing."""


def main() -> None:
    """On failure the last line of stderr is the reason; the lab sends it to the viewers."""
    out = _claim_stdout()
    try:
        first = read_message(sys.stdin.buffer)
        if first is not None:
            _serve(msgspec.msgpack.decode(first), out)
    except BrokenPipeError:
        pass
    except Exception as error:
        traceback.print_exc()
        failure = explain(error)
        print(f"{failure.message} {failure.next_step}", file=sys.stderr, flush=True)
        # Not sys.exit: the thread that reads stdin may hold its lock, which ends the interpreter badly.
        os._exit(1)


def _claim_stdout() -> BinaryIO:
    """Keep fd 1 for frames; what a library prints goes to stderr."""
    kept = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(kept, "wb")


def _serve(first: dict[str, Any], out: BinaryIO) -> None:
    player: Player = PLAYERS[first["mode"]](first)
    inbox: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(inbox,), daemon=True).start()
    try:
        if isinstance(player, ReplayPlayer):
            write_message(out, player.opening())
            write_message(out, player.handle({"op": "seek", "step": first.get("step", 0)}) or b"")
        _loop(player, inbox, out)
    finally:
        player.close()


def _read(inbox: queue.SimpleQueue[dict[str, Any] | None]) -> None:
    while (message := read_message(sys.stdin.buffer)) is not None:
        inbox.put(msgspec.msgpack.decode(message))
    inbox.put(None)


def _loop(player: Player, inbox: queue.SimpleQueue[dict[str, Any] | None], out: BinaryIO) -> None:
    due, has_drawn = time.monotonic(), False
    while True:
        due = max(due + 1.0 / player.fps, time.monotonic() - 0.1)
        while (wait := due - time.monotonic()) > 0:
            try:
                message = inbox.get(timeout=wait)
            except queue.Empty:
                break
            if message is None:
                return
            _write(out, player.handle(message))
        frame = player.tick()
        if frame and not has_drawn:
            has_drawn = True
            with contextlib.suppress(PermissionError):  # a confined process gets its priority from its parent
                os.nice(NICENESS)
        _write(out, frame)


def _write(out: BinaryIO, message: bytes | None) -> None:
    if message:
        write_message(out, message)
