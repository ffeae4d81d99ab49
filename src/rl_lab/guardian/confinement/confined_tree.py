"""Runs one of the lab's own modules confined, with everything it starts, and leaves none of it behind.

This process is not confined and runs nothing but this file: it has read its order from an inherited descriptor, forks,
and its child is confined before it executes the program. It ends the whole tree when the program has ended, when it
gets SIGTERM, when the tree has too many processes or too much memory, or when the lab is gone. Standard library only.

The program may write to one folder: its own temporary one, which is deleted with it.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import sys
import time
from collections.abc import Mapping
from typing import NoReturn

from rl_lab.guardian.confinement.rules import NotConfined, confine
from rl_lab.guardian.files import Confinement, Launch, confined_variables, read_launch
from rl_lab.guardian.processes import become_subreaper, die_with_parent, kill_children
from rl_lab.guardian.tree_limits import TreeLimits

START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from rl_lab.guardian.confinement.confined_tree import main; main()"
)
"""For `python -I -S -c`, followed by the folder that has `rl_lab` and the number of the descriptor with the order.
Isolated, because a PYTHONPATH or a sitecustomize may be the code that shall be confined."""
WATCHED = {signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
LOOK_S, SHORT_LOOK_S, FEW = 0.5, 0.1, 16
"""Between two looks at the limits and at the lab; more often at what may have few processes only."""
NICE_AFTER_S, NICENESS = 2.0, 5
"""The first picture, for which somebody waits, is not delayed; after it, training has priority over drawing."""
NOT_STARTED = 127
LIMIT_CODES = {"limit": 201, "memory": 202}
"""Exit codes by the limit that the tree exceeded."""
TEMPORARY = ("TMPDIR", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "MPLCONFIGDIR", "NUMBA_CACHE_DIR")
"""Variables that name folders for caches and temporary files; libraries fail to load without one to write to."""


def main() -> None:
    with os.fdopen(int(sys.argv[2]), "rb") as order:
        launch = read_launch(order.read())
    become_subreaper()
    signal.pthread_sigmask(signal.SIG_BLOCK, WATCHED)
    folder = _make_folder(launch.env or {})
    lab, guard = os.getppid(), os.getpid()
    pid = os.fork()
    if pid == 0:
        _become(launch, folder, guard)
    _let_go_of_stdio()
    code = NOT_STARTED
    try:
        nice_after_s = math.inf if launch.keeps_priority else NICE_AFTER_S
        code = _watch(pid, lab, launch.confine or Confinement(), nice_after_s)
    finally:
        _end_tree()
        _remove(folder)
        os._exit(code)


def _become(launch: Launch, folder: str, guard: int) -> NoReturn:
    try:
        die_with_parent(guard)
        os.setsid()  # its group is killed at once, and does not contain its guard
        signal.pthread_sigmask(signal.SIG_UNBLOCK, WATCHED)
        order = launch.confine or Confinement()
        confine(order._replace(writes=[*order.writes, folder]))
        variables = _with_folder({**(launch.env or {}), **confined_variables(order)}, folder)
        os.execve(launch.argv[0], launch.argv, variables)  # noqa: S606
    except (NotConfined, OSError) as error:
        os.write(2, f"{getattr(error, 'strerror', None) or error}\n".encode())
    finally:
        os._exit(NOT_STARTED)


def _make_folder(variables: Mapping[str, str]) -> str:
    """A new folder that only this user can open; without `tempfile`, whose import takes longer than the rest."""
    parent = os.path.realpath(variables.get("TMPDIR") or "/tmp")  # noqa: S108
    folder = f"{parent}/rl-lab-look-{os.urandom(8).hex()}"
    os.mkdir(folder, 0o700)  # noqa: PTH102
    return folder


def _remove(folder: str) -> None:
    from shutil import rmtree  # imported at the end: nobody waits for it

    with contextlib.suppress(RecursionError):  # thousands of folders in each other: left to the system
        rmtree(folder, ignore_errors=True)


def _with_folder(variables: Mapping[str, str], folder: str) -> dict[str, str]:
    return {**variables, **dict.fromkeys(TEMPORARY, folder)}


def _let_go_of_stdio() -> None:
    """The pipes belong to the program: the lab must see when it closes them."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)
    os.close(nowhere)


def _watch(program: int, lab: int, order: Confinement, nice_after_s: float) -> int:
    """Until the program has ended or must end; returns its exit code, 128 + n for signal n, or one of LIMIT_CODES."""
    limits = TreeLimits(order)
    look_s = SHORT_LOOK_S if 0 < order.processes <= FEW else LOOK_S
    nice_at = time.monotonic() + nice_after_s
    while True:
        if time.monotonic() >= nice_at:
            nice_at = math.inf
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                os.setpriority(os.PRIO_PGRP, program, NICENESS)
        heard = signal.sigtimedwait(WATCHED, look_s)
        status = _reap(program)
        if status is not None:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        is_asked = heard is not None and heard.si_signo != signal.SIGCHLD
        if is_asked or os.getppid() != lab:
            return 128 + signal.SIGKILL
        if (excess := limits.excess()) is not None:
            return LIMIT_CODES[excess.by]


def _reap(program: int) -> int | None:
    """Collects every ended child; the status of the program when it is among them."""
    found = None
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0] != 0:
            found = ended[1] if ended[0] == program else found
    except ChildProcessError:
        pass
    return found


def _end_tree() -> None:
    """SIGKILL until the kernel says that no child is left."""
    while True:
        kill_children()
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.002)
        except ChildProcessError:
            return
