"""Starting the guarded process: launch.json read, forked, tied to the guardian's life. Standard library only."""

from __future__ import annotations

import json
import os
import resource
import signal
from typing import Any, NoReturn

from rl_lab.guardian.processes import die_with_parent, read_or_nothing

LIMITS = {"journal_segment_bytes": 64 << 20, "log_bytes": 10 << 20, "line_bytes": 1 << 20}
REFUSED = "refused"
OOM_SCORE = b"500"
"""Under memory pressure the kernel shall take a worker, not the guardian or the lab."""


class Launch:
    """What launch.json says, with defaults for what it leaves out."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.argv = [str(word) for word in given["argv"]]
        self.cwd = given.get("cwd")
        self.env = {str(k): str(v) for k, v in given.get("env", os.environ).items()}
        # Secrets are handed on by the guardian's own variables, and are in no file.
        self.env |= {name: os.environ[name] for name in given.get("inherit", ()) if name in os.environ}
        self.stop_grace_s = float(given.get("stop_grace_s", 20))
        self.kill_grace_s = float(given.get("kill_grace_s", 10))
        self.confine: dict[str, Any] | None = given.get("confine")
        """The rules for a foreign program, read by `guardian/confinement/rules.py`; None for the lab's own workers."""
        self.most_processes = int((self.confine or {}).get("processes") or 0)
        limits = {**LIMITS, **given.get("limits", {})}
        self.segment_bytes = max(1, int(limits["journal_segment_bytes"]))
        self.log_bytes = max(1, int(limits["log_bytes"]))
        self.line_bytes = max(1024, int(limits["line_bytes"]))


def read_launch(folder_fd: int) -> Launch:
    fd = os.open("launch.json", os.O_RDONLY | os.O_CLOEXEC, dir_fd=folder_fd)
    with os.fdopen(fd, "rb") as file:
        return Launch(json.load(file))


class Started:
    """A running worker and our ends of its pipes."""

    def __init__(self, pid: int, stdin: int, stdout: int, stderr: int) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.stderr = stderr


class NotStarted(Exception):
    """The program was not started on purpose; the words say why."""


def start_worker(launch: Launch) -> Started:
    """Fork and execute; OSError when argv cannot be executed, NotStarted when it cannot be confined as promised.

    Safe because we have one thread.
    """
    stdin_r, stdin_w = os.pipe()
    stdout_r, stdout_w = os.pipe()
    stderr_r, stderr_w = os.pipe()
    report_r, report_w = os.pipe()
    guardian = os.getpid()
    pid = os.fork()
    if pid == 0:
        _become_worker(launch, guardian, (stdin_r, stdout_w, stderr_w), report_w)
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
    return Started(pid, stdin_w, stdout_r, stderr_r)


def _become_worker(launch: Launch, guardian: int, stdio: tuple[int, int, int], report: int) -> NoReturn:
    what = launch.argv[0]
    try:
        die_with_parent(guardian)
        for number in (signal.SIGPIPE, signal.SIGINT, signal.SIGHUP, signal.SIGTERM, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        for target, fd in enumerate(stdio):
            os.dup2(fd, target)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _prefer_for_oom()
        if launch.cwd:
            what = launch.cwd
            os.chdir(launch.cwd)
        if launch.confine is not None:
            _confine(launch.confine, report)
        what = launch.argv[0]
        os.execvpe(launch.argv[0], launch.argv, launch.env)  # noqa: S606
    except OSError as error:
        os.write(report, f"{error.errno or 0} {what}".encode())
    finally:
        os._exit(127)


def _confine(order: dict[str, Any], report: int) -> None:
    # Imported here, in the child: the guardian of an ordinary worker does without.
    from rl_lab.guardian.confinement.rules import NotConfined, confine

    try:
        confine(order)
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
    """How often the kernel killed for want of memory in our cgroup, else on this machine; None when untold."""
    for path in (*_memory_files(), "/proc/vmstat"):
        words = read_or_nothing(path).split()
        if b"oom_kill" in words:
            return int(words[words.index(b"oom_kill") + 1])
    return None


def _memory_files() -> list[str]:
    """Where cgroups of version 1 and 2 count."""
    paths = []
    for line in read_or_nothing("/proc/self/cgroup").decode().splitlines():
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            paths.append(f"/sys/fs/cgroup/memory{path}/memory.oom_control")
        elif controllers == "":
            paths.append(f"/sys/fs/cgroup{path}/memory.events")
    return paths
