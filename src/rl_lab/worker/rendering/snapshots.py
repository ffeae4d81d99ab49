"""Draws any step of an episode within milliseconds, for any simulator: states are kept by forking.

Simulators such as Box2D cannot be copied, but a process can. While an episode is simulated once, a *holder* process
is forked every few steps and waits. To draw step t, the nearest holder before t forks a *cursor*, which simulates up
to t, draws, and stays to draw the following steps. Memory is shared copy-on-write.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
import time
from collections import OrderedDict
from typing import Any

from rl_lab.guardian.processes import die_with_parent
from rl_lab.worker.rendering.jpeg import to_jpeg
from rl_lab.worker.rendering.simulation import Simulation

HOLDER_GAP_S = 0.025
"""Simulation time between two holders: a seek never has to simulate more than this."""
MAX_HOLDERS = 64
"""When there are more, every second one is ended and the gap is doubled, so that they cover a long episode."""
CACHE_BYTES = 64 << 20
_REQUEST = struct.Struct("<I")


Holder = tuple[int, socket.socket, int]
"""Its step, the channel to it, its pid."""


class Snapshots:
    """JPEGs of every step of one simulation, and the `describe` rows of all its steps."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._holders: list[Holder] = []
        self._cursor: socket.socket | None = None
        self._cursor_step = -1
        self._cache: OrderedDict[int, bytes] = OrderedDict()
        self._cache_bytes = 0

    def play_through(self) -> list[dict[str, Any]]:
        """Simulate the episode to its end and fork holders; returns the row of each step, from step 0 on."""
        simulation, rows = self._simulation, [self._simulation.describe_fully()]
        self._remember(0, to_jpeg(simulation.frame()))
        self._fork_holder()
        last, gap = time.perf_counter(), HOLDER_GAP_S
        while simulation.advance():
            rows.append(simulation.describe_fully())
            if time.perf_counter() - last > gap:
                self._fork_holder()
                if len(self._holders) >= MAX_HOLDERS:
                    self._thin_out()
                    gap *= 2
                last = time.perf_counter()
        return rows

    def jpeg(self, step: int) -> bytes:
        """The JPEG of the state after `step` actions."""
        cached = self._cache.get(step)
        if cached is not None:
            self._cache.move_to_end(step)
            return cached
        if self._cursor is None or not self._cursor_step < step <= self._cursor_step + self._gap(step):
            self._new_cursor(step)
        assert self._cursor is not None
        jpeg = _ask(self._cursor, step)
        self._cursor_step = step
        self._remember(step, jpeg)
        return jpeg

    def close(self) -> None:
        """End every forked process."""
        self._drop_cursor()
        for holder in self._holders:
            _end(holder)
        self._holders.clear()

    def _thin_out(self) -> None:
        for holder in self._holders[1::2]:
            _end(holder)
        self._holders = self._holders[::2]

    def _gap(self, step: int) -> int:
        """How many steps a cursor may simulate before a new one from the next holder is faster."""
        at = [s for s, _, _ in self._holders if s <= step]
        return max(1, step - at[-1])

    def _fork_holder(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        parent, pid = os.getpid(), os.fork()
        if pid == 0:
            ours.close()
            die_with_parent(parent)
            _hold(self._simulation, theirs)
        theirs.close()
        self._holders.append((self._simulation.step, ours, pid))

    def _new_cursor(self, step: int) -> None:
        self._drop_cursor()
        _, channel, _ = [h for h in self._holders if h[0] <= step][-1]
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        socket.send_fds(channel, [b"c"], [theirs.fileno()])
        theirs.close()
        self._cursor, self._cursor_step = ours, -1

    def _drop_cursor(self) -> None:
        if self._cursor is not None:
            self._cursor.close()
            self._cursor = None

    def _remember(self, step: int, jpeg: bytes) -> None:
        self._cache[step] = jpeg
        self._cache_bytes += len(jpeg)
        while self._cache_bytes > CACHE_BYTES:
            _, old = self._cache.popitem(last=False)
            self._cache_bytes -= len(old)


def _end(holder: Holder) -> None:
    _, channel, pid = holder
    channel.close()
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def _hold(simulation: Simulation, channel: socket.socket) -> None:
    """Runs a holder: forks a cursor for each request and never advances itself."""
    simulation.stop_noting()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    parent = os.getpid()
    while True:
        message, fds, _, _ = socket.recv_fds(channel, 1, 1)
        if not message or not fds:
            os._exit(0)
        if os.fork() == 0:
            die_with_parent(parent)
            channel.close()
            _serve(simulation, socket.socket(fileno=fds[0]))
        os.close(fds[0])


def _serve(simulation: Simulation, channel: socket.socket) -> None:
    """Runs a cursor: simulates up to each requested step and draws it."""
    with contextlib.suppress(Exception):
        while True:
            request = channel.recv(_REQUEST.size, socket.MSG_WAITALL)
            if len(request) < _REQUEST.size:
                break
            simulation.advance_to(_REQUEST.unpack(request)[0])
            jpeg = to_jpeg(simulation.frame())
            channel.sendall(_REQUEST.pack(len(jpeg)) + jpeg)
    os._exit(0)


def _ask(channel: socket.socket, step: int) -> bytes:
    channel.sendall(_REQUEST.pack(step))
    size = channel.recv(_REQUEST.size, socket.MSG_WAITALL)
    if len(size) < _REQUEST.size:
        raise RuntimeError("The process that draws this episode was killed.")
    return channel.recv(_REQUEST.unpack(size)[0], socket.MSG_WAITALL)
