"""Starts the worker: reads launch.json, forks, applies the confinement, executes the command. Standard library only."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from rl_lab.guardian.descriptors import keep_from_exec
from rl_lab.guardian.files import LAUNCH_FILE, Confinement, Launch, confined_variables, read_launch
from rl_lab.guardian.processes import die_with_parent, read_or_nothing

if TYPE_CHECKING:
    from rl_lab.guardian.confinement.call_broker import BrokerChannel, CallBroker

REFUSED = "refused"
OOM_SCORE = b"500"
"""Under memory pressure the kernel shall kill a worker, not the guardian or the lab."""


def open_launch(folder_fd: int) -> Launch:
    """launch.json in the attempt's folder."""
    fd = os.open(LAUNCH_FILE, os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder_fd)
    with os.fdopen(fd, "rb") as file:
        return read_launch(file.read())


def variables_of(launch: Launch) -> dict[str, str]:
    """All variables the program gets, the secret ones from the guardian's own."""
    given = os.environ if launch.env is None else launch.env
    inherited = {name: os.environ[name] for name in launch.inherit if name in os.environ}
    return {**given, **inherited, **confined_variables(launch.confine)}


class Started:
    """A running worker and our ends of its pipes."""

    broker: CallBroker | None = None
    """Answers the system calls of a confined program that its filter does not decide."""

    def __init__(self, pid: int, stdin: int, stdout: int, stderr: int) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr


class NotStarted(Exception):
    """The program was not started, because it cannot be confined; the message says why."""


def start_worker(launch: Launch) -> Started:
    """Fork and execute; OSError when argv cannot be executed, NotStarted when it cannot be confined as promised.

    Forking is safe because the guardian has one thread.
    """
    stdin_r, stdin_w = os.pipe()
    stdout_r, stdout_w = os.pipe()
    stderr_r, stderr_w = os.pipe()
    report_r, report_w = os.pipe()
    channel = _prepare_broker(launch.confine)
    guardian = os.getpid()
    pid = os.fork()
    if pid == 0:
        _become_worker(launch, guardian, (stdin_r, stdout_w, stderr_w), report_w, channel)
    for fd in (stdin_r, stdout_w, stderr_w, report_w):
        os.close(fd)
    with os.fdopen(report_r, "rb") as report:
        trouble = report.read()  # ends at once when exec succeeds: the pipe closes with it
    if trouble:
        os.waitpid(pid, 0)
        number, _, what = trouble.decode().partition(" ")
        if number == REFUSED:
            raise NotStarted(what)
        raise OSError(int(number), os.strerror(int(number)), what)
    for fd in (stdin_w, stdout_r, stderr_r):
        os.set_blocking(fd, False)
    started = Started(pid, stdin_w, stdout_r, stderr_r)
    started.broker = channel.take_over() if channel else None
    return started


def _prepare_broker(order: Confinement | None) -> BrokerChannel | None:
    """None when no call will need an answer: a program that may write nowhere changes nothing."""
    if order is None or not order.seccomp or not order.writes:
        return None
    # Before the fork: the child needs most of what this imports.
    from rl_lab.guardian.confinement.call_broker import BrokerChannel

    return BrokerChannel(order.writes)


def _become_worker(
    launch: Launch, guardian: int, stdio: tuple[int, int, int], report: int, channel: BrokerChannel | None
) -> NoReturn:
    what = launch.argv[0]
    try:
        die_with_parent(guardian)
        os.setsid()  # no group of the worker's contains the guardian: see `kill_children`
        for number in (signal.SIGPIPE, signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        for target, fd in enumerate(stdio):
            os.dup2(fd, target)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if launch.umask >= 0:
            os.umask(launch.umask)
        _prefer_for_oom()
        if launch.cwd:
            what = launch.cwd
            os.chdir(launch.cwd)
        execute = _execution(launch, report)
        if launch.confine is not None:
            _confine(launch.confine, report, channel)
            die_with_parent(guardian)  # again: the kernel forgets it when the user changes
        what = launch.argv[0]
        keep_from_exec()
        execute()
    except OSError as error:
        os.write(report, f"{error.errno or 0} {what}".encode())
    finally:
        os._exit(127)


def _execution(launch: Launch, report: int) -> Callable[[], NoReturn]:
    """The last step. Prepared before the confinement, while the lab's own modules can still be read."""
    agreed = launch.agreed
    if not agreed:
        return lambda: os.execvpe(launch.argv[0], launch.argv, variables_of(launch))  # noqa: S606
    from rl_lab.guardian.agreed_files import NotAgreed, open_agreed

    def execute() -> NoReturn:
        try:
            program = open_agreed(launch.argv, agreed)
        except NotAgreed as error:
            os.write(report, f"{REFUSED} {error}".encode())
            os._exit(127)
        os.execve(program, launch.argv, variables_of(launch))  # noqa: S606

    return execute


def _confine(order: Confinement, report: int, channel: BrokerChannel | None) -> None:
    # Imported here, in the child: the guardian of an ordinary worker does not need it.
    from rl_lab.guardian.confinement.rules import NotConfined, confine

    try:
        confine(order, channel.hand_over if channel else None)
    except NotConfined as error:
        os.write(report, f"{REFUSED} {error}".encode())
        os._exit(127)


def _prefer_for_oom() -> None:
    try:
        fd = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        os.write(fd, OOM_SCORE)
        os.close(fd)
    except OSError:
        pass


def count_oom_kills() -> int | None:
    """OOM kills the kernel has counted in our cgroup, else on this machine; None when it does not report them."""
    for path in (*_memory_files(), "/proc/vmstat"):
        words = read_or_nothing(path).split()
        if b"oom_kill" in words:
            return int(words[words.index(b"oom_kill") + 1])
    return None


def _memory_files() -> list[str]:
    """Files in which cgroups of version 1 and 2 count OOM kills."""
    paths = []
    for line in read_or_nothing("/proc/self/cgroup").decode().splitlines():
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            paths.append(f"/sys/fs/cgroup/memory{path}/memory.oom_control")
        elif controllers == "":
            paths.append(f"/sys/fs/cgroup{path}/memory.events")
    return paths
