"""`python -m rl_lab.worker.reward_bench`: commands on stdin, results on stdout, each 4 bytes of length and msgpack.

To it: `open` (rewards, what their processes may use), `score` (items with key and
recording; without a recording the episode is expected in memory), `end`. From it: `scored` (items), `problem` (a
reward has failed), `idle` (after `end`). It exits when stdin is closed.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
import traceback
from typing import Any, BinaryIO

import msgspec

from rl_lab.core.recordings import Recording
from rl_lab.guardian.files import confinement_of
from rl_lab.portable.frame_protocol import read_message, write_message
from rl_lab.worker.reward_bench.scoring import EpisodeScorer, OpenRewards

SEND_S = 0.05
"""Between two messages with results."""


def main() -> None:
    out = _claim_stdout()
    bench = BenchProcess(out)
    threading.Thread(target=bench.read, args=(sys.stdin.buffer,), daemon=True).start()
    try:
        bench.serve()
    except BrokenPipeError:
        pass
    except Exception as error:
        traceback.print_exc()
        print(_explained(error), file=sys.stderr, flush=True)
        os._exit(1)
    # Not sys.exit: the thread that reads stdin may hold its lock, which ends the interpreter badly.
    os._exit(0)


def _explained(error: Exception) -> str:
    from rl_lab.worker.failures import explain  # not at the start, for which somebody waits

    failure = explain(error)
    return f"{failure.message} {failure.next_step}".strip()


def _claim_stdout() -> BinaryIO:
    """Keep fd 1 for results; what a library prints goes to stderr."""
    kept = os.dup(1)
    os.dup2(2, 1)
    return os.fdopen(kept, "wb")


class BenchProcess:
    """Obeys one command after the other; `end` is seen at once, on the thread that reads."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._inbox: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._episodes = EpisodeScorer()
        self._rewards: OpenRewards | None = None
        self._is_ending = threading.Event()
        self._ready: list[dict[str, Any]] = []
        self._sent_at = 0.0

    def read(self, stream: BinaryIO) -> None:
        while (message := read_message(stream)) is not None:
            command = msgspec.msgpack.decode(message)
            if command["op"] == "end":
                self._end()
            self._inbox.put(command)
        self._end()
        self._inbox.put(None)

    def serve(self) -> None:
        while (command := self._inbox.get()) is not None:
            match command["op"]:
                case "open":
                    self._open(command)
                case "score":
                    self._score(command["items"])
                case "end":
                    self._close()

    def _end(self) -> None:
        self._is_ending.set()
        rewards = self._rewards
        if rewards is not None:
            rewards.end()

    def _close(self) -> None:
        if self._rewards is not None:
            self._rewards.close()
        self._rewards = None
        self._ready = []
        self._is_ending.clear()
        self._send({"op": "idle"})

    def _open(self, command: dict[str, Any]) -> None:
        confine = confinement_of(command["confine"])
        self._rewards = OpenRewards(command["rewards"], confine, self._report_problem)
        if self._is_ending.is_set():  # before there were rewards to end
            self._rewards.end()
            return
        import gymnasium  # noqa: F401  while the rewards start

    def _score(self, items: list[dict[str, Any]]) -> None:
        for item in items:
            rewards = self._rewards
            if rewards is None or self._is_ending.is_set():
                return
            try:
                given = item["recording"]
                recording = None if given is None else msgspec.convert(given, Recording)
                found = self._episodes.score(
                    rewards, item["key"], recording, with_steps=item.get("with_steps", False)
                )
            except Exception as error:  # one episode must not end the bench
                traceback.print_exc()
                found = {"key": item["key"], "failed": _explained(error)}
            self._ready.append(found)
            if time.monotonic() - self._sent_at >= SEND_S:
                self._send_ready()
        self._send_ready()

    def _report_problem(self, problem: dict[str, Any]) -> None:
        if not self._is_ending.is_set():
            self._send_ready()
            self._send(problem)

    def _send_ready(self) -> None:
        if self._ready and not self._is_ending.is_set():
            self._send({"op": "scored", "items": self._ready})
        self._ready, self._sent_at = [], time.monotonic()

    def _send(self, message: dict[str, Any]) -> None:
        write_message(self._out, msgspec.msgpack.encode(message))
