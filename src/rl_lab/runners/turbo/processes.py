"""A pool of this process and a few forked children that run the same task in parallel over shared memory.

Children have no state except what they were forked with and what is in shared arrays. They exit with the parent and
never write to standard output. An error in a child is raised in the parent.
"""

from __future__ import annotations

import math
import mmap
import os
import signal
import sys
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.guardian.processes import die_with_parent

Task = Callable[[int], None]


def shared_array(shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """An array of zeros, shared with processes forked later; the memory is anonymous, so nothing needs cleaning up."""
    size = max(1, math.prod(shape)) * np.dtype(dtype).itemsize
    return np.frombuffer(mmap.mmap(-1, size), dtype=dtype, count=math.prod(shape)).reshape(shape)


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def most_processes() -> int:
    """Without `fork` (Windows) the learner uses one process; the results are the same."""
    return 64 if hasattr(os, "fork") else 1


class ForkPoolError(RuntimeError):
    """A child process of the learner failed; the message is its traceback."""


class ForkPool:
    """`size` processes; this one is number 0. `run()` calls `task(number)` in each and waits for all."""

    def __init__(self, size: int, task: Task) -> None:
        self._task = task
        self._children: list[_Child] = []
        for number in range(1, size):
            self._children.append(self._fork(number))

    def _fork(self, number: int) -> _Child:
        go_read, go_write = os.pipe()
        done_read, done_write = os.pipe()
        parent = os.getpid()
        sys.stdout.flush()
        pid = os.fork()
        if pid == 0:
            os.close(go_write)
            os.close(done_read)
            for other in self._children:  # otherwise their pipes stay open until this child exits
                other.close_pipes()
            _serve(self._task, number, go_read, done_write, parent)
        os.close(go_read)
        os.close(done_write)
        return _Child(pid, go_write, done_read)

    def run(self) -> None:
        for child in self._children:
            child.start()
        self._task(0)
        for child in self._children:
            child.wait()

    def close(self) -> None:
        for child in self._children:
            child.close()
        self._children = []


class _Child:
    """The parent's side of one child: one byte starts its task, one byte comes back when it is done."""

    def __init__(self, pid: int, go: int, done: int) -> None:
        self._pid, self._go, self._done = pid, go, done

    def start(self) -> None:
        try:
            os.write(self._go, b"g")
        except BrokenPipeError:
            self.wait()

    def wait(self) -> None:
        answer = os.read(self._done, 1)
        if answer == b"d":
            return
        message = b""
        while chunk := os.read(self._done, 65536):
            message += chunk
        raise ForkPoolError(message.decode(errors="replace") or f"child process {self._pid} was killed")

    def close(self) -> None:
        self.close_pipes()  # the child reads end-of-file and exits
        os.waitpid(self._pid, 0)

    def close_pipes(self) -> None:
        os.close(self._go)
        os.close(self._done)


def _serve(task: Task, number: int, go: int, done: int, parent: int) -> None:
    """Main loop of a child; it never returns into the parent's code."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        die_with_parent(parent)
        os.dup2(
            2, 1
        )  # prints go to the log, because the parent's standard output carries the worker protocol
        while os.read(go, 1) == b"g":
            task(number)
            os.write(done, b"d")
        code = 0
    except BaseException:
        os.write(done, b"x" + traceback.format_exc().encode())
    finally:
        os._exit(code)
