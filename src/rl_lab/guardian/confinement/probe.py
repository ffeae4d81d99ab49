"""Tests what this machine can restrict; `main` prints the result as JSON.

Forks children, confines them and lets them try what must be refused. Standard library only.
"""

from __future__ import annotations

import errno
import json
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Callable
from typing import NamedTuple

from rl_lab.guardian.confinement import landlock, seccomp
from rl_lab.guardian.confinement.call_broker import BrokerChannel, CallBroker
from rl_lab.guardian.confinement.rules import NotConfined, confine
from rl_lab.guardian.confinement.shared_memory import SHARED_MEMORY
from rl_lab.guardian.files import Confinement, Level

TIME_S = 10


class Available(NamedTuple):
    """What was tested and works; the text of a gap begins with a small letter, to be used in a list."""

    system: str
    landlock: int = 0
    """The ABI that works; 0 = none."""
    seccomp: bool = False
    gaps: tuple[str, ...] = ()
    """What cannot be prevented, as text."""
    supervised: bool = False
    """Whether a program can change modes and times in its own folders, which needs the guardian; else nowhere."""
    own_shared_memory: bool = False
    """Whether a program can be given a /dev/shm of its own."""

    @property
    def level(self) -> Level:
        """confined, partly or none, as `core.commands.Isolation` has them."""
        if not self.landlock and not self.seccomp:
            return "none"
        return "partly" if self.gaps else "confined"


def available() -> Available:
    """Tries each mechanism in its own child. Only for processes with one thread."""
    if sys.platform != "linux":
        return Available(sys.platform, gaps=GAPS_WITHOUT)
    abi, filtered = landlock.landlock_abi(), seccomp.is_known_machine()
    gaps = []
    if not abi or not _holds(_try_files, Confinement(landlock=abi)):
        abi = 0
        gaps.append(NO_FILES)
    if not filtered or not _holds(_try_calls, Confinement(seccomp=True)):
        filtered = False
        gaps.append(NO_CALLS)
    if not filtered and not (abi >= landlock.NET_ABI and _holds(_try_tcp, Confinement(landlock=abi))):
        gaps.append(NO_TCP)
    if 0 < abi < 3:
        gaps.append(NO_TRUNCATE)
    if abi < landlock.SCOPE_ABI or not _holds(_try_signal, Confinement(landlock=abi)):
        gaps.append(NO_SIGNALS)
    supervised = filtered and _holds(_try_changes, Confinement(seccomp=True))
    own_memory = _holds(_try_shared_memory, Confinement(own_shared_memory=True))
    return Available(sys.platform, abi, filtered, tuple(gaps), supervised, own_memory)


NO_FILES = "it can read and change every file you can"
NO_CALLS = (
    "it can use system calls that look into other processes, UDP and local sockets, and change the permissions of your "
    "files"
)
NO_TCP = "it can use the network"
NO_TRUNCATE = "it can empty files it may not write to"
NO_SIGNALS = "it can send signals to your other processes"
GAPS_WITHOUT = (NO_FILES, NO_TCP, NO_SIGNALS)


def _holds(attempt: Callable[[str], bool], order: Confinement) -> bool:
    """Whether `attempt` succeeds in a child that is confined by `order`; the child may write to one folder."""
    folder = os.path.realpath(tempfile.mkdtemp(prefix="rl-lab-probe-"))
    inside = os.path.join(folder, "inside")  # noqa: PTH118
    try:
        os.mkdir(inside)  # noqa: PTH102
        _touch(folder + "/outside")
        return _ask_child(lambda: attempt(folder), order._replace(writes=[inside]))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _ask_child(question: Callable[[], bool], order: Confinement) -> bool:
    """Answers the calls of the child meanwhile, as a guardian does."""
    channel = BrokerChannel(order.writes)
    pid = os.fork()
    if pid == 0:
        answer = False
        try:
            signal.alarm(TIME_S)
            confine(order, channel.hand_over)
            channel.close()
            answer = question()
        except (OSError, NotConfined):
            pass
        finally:
            os._exit(0 if answer else 1)
    broker = channel.take_over()
    if broker is not None:
        _answer_calls(broker)
    return os.waitpid(pid, 0)[1] == 0


def _answer_calls(broker: CallBroker) -> None:
    while broker.answer_waiting():
        select.select([broker.listener], [], [], TIME_S)
    broker.close()


def _try_files(folder: str) -> bool:
    """Reading outside is refused; writing inside works, and so does what every program needs."""
    refused = _is_refused(lambda: _read(folder + "/outside"), errno.EACCES)
    refused = refused and _is_refused(lambda: _touch(folder + "/new"), errno.EACCES)
    _touch(folder + "/inside/file")
    _read("/dev/null")
    return refused


def _try_tcp(_: str) -> bool:
    def connect() -> None:
        with socket.socket() as client:
            client.connect(("127.0.0.1", 9))

    return _is_refused(connect, errno.EACCES)


def _try_calls(_: str) -> bool:
    """No network socket and no connection to a local one, but a socket pair."""
    for family in (socket.AF_INET, socket.AF_INET6):
        if not _is_refused(lambda family=family: socket.socket(family).close(), errno.EACCES):  # type: ignore[misc]
            return False
    with socket.socket(socket.AF_UNIX) as local:
        if not _is_refused(lambda: local.connect("/nowhere"), errno.EACCES):
            return False
    for one in socket.socketpair():
        one.close()
    return seccomp.is_held()


def _try_changes(folder: str) -> bool:
    """Modes can be changed inside and not outside."""
    os.mkdir(folder + "/inside/new")  # noqa: PTH102
    os.chmod(folder + "/inside/new", 0o700)  # noqa: PTH101
    return _is_refused(lambda: os.chmod(folder + "/outside", 0o644), errno.EPERM)  # noqa: PTH101


def _try_shared_memory(_: str) -> bool:
    """It is empty, and a file can be made in it."""
    is_empty = not os.listdir(SHARED_MEMORY)  # noqa: PTH208
    _touch(SHARED_MEMORY + "/file")
    return is_empty


def _try_signal(_: str) -> bool:
    return _is_refused(lambda: os.kill(os.getppid(), 0), errno.EPERM)


def _is_refused(act: Callable[[], object], code: int) -> bool:
    try:
        act()
    except OSError as error:
        return error.errno == code
    return False


def _read(path: str) -> None:
    os.close(os.open(path, os.O_RDONLY))


def _touch(path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def main() -> None:
    print(json.dumps(available()._asdict()))
