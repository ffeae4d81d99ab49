"""Other processes: their files, signals, memory, priority, and what they share."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import resource
import signal
import struct
import threading
from collections.abc import Callable
from typing import Any

from .cell import Cell, check, libc, write


def other_processes_files(at: Any) -> list[Cell]:
    processes = {"guardian": at.guardian, "neighbour": at.neighbour, "first process": 1}
    found = []
    for who, pid in processes.items():
        for name in ("environ", "mem", "maps", "auxv"):
            found.append(Cell("read", f"{name} of the {who}", lambda p=f"/proc/{pid}/{name}": _read_whole(p)))
        for name in ("root", "cwd", "map_files"):
            found.append(Cell("read", f"{name} of the {who}", lambda p=f"/proc/{pid}/{name}/": os.listdir(p)))
        place = f"/proc/{pid}/fd/0"
        found.append(Cell("read", f"descriptor of the {who}", lambda p=place: write(p, os.O_RDONLY)))
        found.append(Cell("read", f"file of a descriptor of the {who}", lambda p=place: os.readlink(p)))
    return found


def _read_whole(path: str) -> None:
    with open(path, "rb", buffering=0) as file:
        file.seek(0 if not path.endswith("mem") else 4096)
        if not file.read(16):
            raise PermissionError(errno.EPERM, "nothing was given")


def processes(at: Any) -> list[Cell]:
    pid, calls = at.neighbour, at.calls
    vector = struct.pack("=QQ", 4096, 8)

    def by_pidfd() -> None:
        signal.pidfd_send_signal(os.pidfd_open(pid), signal.SIGUSR1)

    def from_a_thread() -> None:
        errors: list[OSError] = []

        def act() -> None:
            try:
                os.kill(pid, signal.SIGUSR1)
            except OSError as error:
                errors.append(error)

        thread = threading.Thread(target=act)
        thread.start()
        thread.join()
        if errors:
            raise errors[0]

    def to_everybody() -> None:
        """Programs ignore SIGURG; the neighbour reports it. The call succeeds when it reached nobody."""
        os.kill(-1, signal.SIGURG)
        raise PermissionError(errno.EPERM, "checked by the neighbour")

    def by_sigio() -> None:
        """The owner of a pipe gets SIGIO; whether it arrived is seen by the neighbour only."""
        reader, writer = os.pipe()
        fcntl.fcntl(reader, fcntl.F_SETOWN, pid)
        fcntl.fcntl(reader, fcntl.F_SETFL, os.O_ASYNC)
        os.write(writer, b"x")
        raise PermissionError(errno.EPERM, "checked by the neighbour")

    def call(name: str, *arguments: object) -> Callable[[], int]:
        return lambda: check(libc.syscall(calls[name], *arguments))

    return [
        Cell("processes", "signal", lambda: os.kill(pid, signal.SIGUSR1)),
        Cell("processes", "signal to the guardian", lambda: os.kill(at.guardian, signal.SIGUSR1)),
        Cell("processes", "signal to everybody", to_everybody),
        Cell("processes", "signal from a thread", from_a_thread),
        Cell("processes", "signal by a descriptor", by_pidfd),
        Cell("processes", "SIGIO", by_sigio),
        Cell("processes", "tgkill", call("tgkill", pid, pid, 10)),
        Cell("processes", "tkill", call("tkill", pid, 10)),
        Cell(
            "processes",
            "sigqueue",
            call("rt_sigqueueinfo", pid, 10, struct.pack("=3i", 10, 0, -1) + bytes(116)),
        ),
        Cell("processes", "ptrace attach", call("ptrace", 16, pid, 0, 0)),
        Cell("processes", "ptrace seize", call("ptrace", 0x4206, pid, 0, 0)),
        Cell("processes", "read memory", call("process_vm_readv", pid, vector, 1, vector, 1, 0)),
        Cell("processes", "write memory", call("process_vm_writev", pid, vector, 1, vector, 1, 0)),
        Cell("processes", "take a descriptor", lambda: call("pidfd_getfd", os.pidfd_open(pid), 0, 0)()),
        Cell("processes", "compare", call("kcmp", pid, os.getpid(), 0, 0, 0)),
        Cell(
            "processes",
            "advise memory",
            lambda: call("process_madvise", os.pidfd_open(pid), vector, 1, 20, 0)(),
        ),
        Cell("processes", "release memory", lambda: call("process_mrelease", os.pidfd_open(pid), 0)()),
        Cell("processes", "move pages", call("move_pages", pid, 0, None, None, None, 0)),
        Cell("processes", "migrate pages", call("migrate_pages", pid, 64, bytes(8), bytes(8))),
        Cell("processes", "limits", lambda: resource.prlimit(pid, resource.RLIMIT_NOFILE, (64, 64))),
        Cell("processes", "robust list", call("get_robust_list", pid, bytes(8), bytes(8))),
        Cell("processes", "performance counters", call("perf_event_open", bytes(128), pid, -1, -1, 0)),
    ]


def scheduling(at: Any) -> list[Cell]:
    pid = at.neighbour
    return [
        Cell("scheduling", "priority", lambda: os.setpriority(os.PRIO_PROCESS, pid, 10)),
        Cell("scheduling", "priority of its group", lambda: os.setpriority(os.PRIO_PGRP, 0, 10)),
        Cell("scheduling", "priority of the user", lambda: os.setpriority(os.PRIO_USER, 0, 10)),
        Cell(
            "scheduling", "priority of the guardian", lambda: os.setpriority(os.PRIO_PROCESS, at.guardian, 10)
        ),
        Cell("scheduling", "processors", lambda: os.sched_setaffinity(pid, {0})),
        Cell("scheduling", "scheduler", lambda: os.sched_setscheduler(pid, os.SCHED_IDLE, os.sched_param(0))),
        Cell("scheduling", "scheduler's parameter", lambda: os.sched_setparam(pid, os.sched_param(0))),
        Cell(
            "scheduling",
            "attributes",
            lambda: check(libc.syscall(at.calls["sched_setattr"], pid, bytes(48), 0)),
        ),
        Cell("scheduling", "I/O class", lambda: check(libc.syscall(at.calls["ioprio_set"], 1, pid, 3 << 13))),
        Cell("scheduling", "higher than its own", lambda: os.setpriority(os.PRIO_PROCESS, 0, -5)),
        Cell("scheduling", "real time", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))),
    ]


def shared(at: Any) -> list[Cell]:
    def memory() -> None:
        libc.shmat.restype = ctypes.c_void_p
        if libc.shmat(at.shm, None, 0) == ctypes.c_void_p(-1).value:
            raise OSError(ctypes.get_errno(), "shmat")

    return [
        Cell("shared", "memory of a neighbour", memory),
        Cell("shared", "remove memory of a neighbour", lambda: check(libc.shmctl(at.shm, 0, None))),
        Cell("shared", "new memory", lambda: check(libc.shmget(0, 4096, 0o1600))),
        Cell("shared", "queue of a neighbour", lambda: check(libc.msgsnd(at.msg, bytes(16), 8, 0o4000))),
        Cell("shared", "new queue", lambda: check(libc.msgget(0, 0o1600))),
        Cell("shared", "new semaphores", lambda: check(libc.semget(0, 1, 0o1600))),
        Cell(
            "shared",
            "POSIX queue",
            lambda: check(libc.syscall(at.calls["mq_open"], b"rl-lab", 0o102, 0o600, None)),
        ),
        Cell("shared", "remove a POSIX queue", lambda: check(libc.syscall(at.calls["mq_unlink"], b"rl-lab"))),
        Cell("shared", "watch a folder", lambda: check(libc.inotify_init1(0))),
        Cell("shared", "watch a folder by an older call", lambda: check(libc.inotify_init())),
    ]
