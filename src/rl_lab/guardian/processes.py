"""Process trees under Linux: find and kill every descendant, and find processes that outlived a killed guardian.

Standard library only, no threads: the guardian runs this.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import time

ATTEMPT_VARIABLE = "RL_LAB_ATTEMPT"
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

_libc = ctypes.CDLL(None, use_errno=True)


def become_subreaper() -> None:
    """Orphaned descendants become our children instead of init's."""
    _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent(parent: int) -> None:
    """Called in a child: SIGKILL when the parent exits, or exit now when it has exited already."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def kill_children() -> None:
    """SIGKILL to every child, and to its whole process group; workers start in a session of their own.

    A process that forks and exits over and over is killed with its group, whether it is alive or a zombie by now:
    a group is signalled at once, while a new pid would have to be found first. Children must not be reaped before.
    """
    mine = os.getpgid(0)
    for pid in find_children():
        with contextlib.suppress(ProcessLookupError):
            group = os.getpgid(pid)
            if group != mine:
                os.killpg(group, signal.SIGKILL)
        _send(pid, signal.SIGKILL)


def find_children() -> list[int]:
    """Our children, zombies too, from one file where the kernel has it: orphans of the tree are among them."""
    mine = os.getpid()
    try:
        with open(f"/proc/self/task/{mine}/children", "rb") as file:  # noqa: PTH123
            return [int(pid) for pid in file.read().split()]
    except OSError:
        return [pid for pid in all_pids() if _state_and_parent(pid)[1] == mine]


def living_descendants(root: int) -> list[int]:
    """Every process below `root`, in any session or group, zombies left out."""
    children: dict[int, list[int]] = {}
    dead: set[int] = set()
    for pid in all_pids():
        state, parent = _state_and_parent(pid)
        children.setdefault(parent, []).append(pid)
        # A process whose first thread has ended is a zombie with threads: the others still use the machine.
        if state in ("Z", "X", "") and _threads(pid) <= 1:
            dead.add(pid)
    found, waiting = [], list(children.get(root, ()))
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting.extend(children.get(pid, ()))
    return [pid for pid in found if pid not in dead]


def count_threads(pids: list[int]) -> int:
    """Of all these processes together; each has at least one."""
    return sum(_threads(pid) for pid in pids)


def list_threads(pid: int) -> list[str]:
    try:
        return os.listdir(f"/proc/{pid}/task")  # noqa: PTH208
    except OSError:
        return []


def signal_descendants(root: int, number: int) -> list[int]:
    pids = living_descendants(root)
    for pid in pids:
        _send(pid, number)
    return pids


def attempt_marker(run_id: str, attempt: int) -> str:
    return f"{run_id}/{attempt}"


def find_survivors(run_id: str, attempt: int) -> list[int]:
    """Processes started for this attempt that still run, except this one."""
    wanted = f"{ATTEMPT_VARIABLE}={attempt_marker(run_id, attempt)}".encode()
    mine = os.getpid()
    return [pid for pid in all_pids() if pid != mine and _is_marked(pid, wanted)]


def kill_survivors(run_id: str, attempt: int, timeout_s: float = 5.0) -> list[int]:
    """SIGKILL them until none is left; returns those that could not be killed in time."""
    wanted = f"{ATTEMPT_VARIABLE}={attempt_marker(run_id, attempt)}".encode()
    deadline = time.monotonic() + timeout_s
    while survivors := find_survivors(run_id, attempt):
        if time.monotonic() >= deadline:
            return survivors
        for pid in survivors:
            _kill_marked(pid, wanted, deadline)
    return []


def _kill_marked(pid: int, wanted: bytes, deadline: float) -> None:
    """The pid may belong to another process by now: open a pidfd, check again, then kill."""
    try:
        pidfd = os.pidfd_open(pid)
    except OSError:
        return
    try:
        if _is_marked(pid, wanted):
            signal.pidfd_send_signal(pidfd, signal.SIGKILL)
            select.select([pidfd], [], [], max(0.0, min(1.0, deadline - time.monotonic())))
    except OSError:
        pass
    finally:
        os.close(pidfd)


def _is_marked(pid: int, wanted: bytes) -> bool:
    """A zombie has no environment any more, so only running processes match."""
    return wanted in _read_proc(pid, "environ").split(b"\0")


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def all_pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208


def _state_and_parent(pid: int) -> tuple[str, int]:
    # The command's name is in brackets and may contain anything: read after the last bracket.
    fields = _read_proc(pid, "stat").rpartition(b")")[2].split()
    return (fields[0].decode(), int(fields[1])) if len(fields) > 1 else ("", -1)


def _threads(pid: int) -> int:
    fields = _read_proc(pid, "stat").rpartition(b")")[2].split()
    return int(fields[17]) if len(fields) > 17 else 0


def _read_proc(pid: int, name: str) -> bytes:
    return read_or_nothing(f"/proc/{pid}/{name}")


def read_or_nothing(path: str) -> bytes:
    """Without pathlib: importing it would take longer than everything else the guardian does at its start."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return b""
