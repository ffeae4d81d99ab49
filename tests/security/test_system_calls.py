"""What a confined program may change of files and of processes, tried by real programs under a real guardian."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.confined import KINDS, Confined, confined

from rl_lab.orchestrator.confinement_probe import probe

EPERM, ENOTSUP, ENOSYS = errno.EPERM, errno.ENOTSUP, errno.ENOSYS
pytestmark = pytest.mark.skipif(not probe().seccomp, reason="this system has no seccomp")


@pytest.fixture(params=KINDS)
def program(request: pytest.FixtureRequest) -> Iterator[Confined]:
    with confined(request.param) as made:
        yield made


@pytest.fixture
def own_program() -> Iterator[Confined]:
    with confined() as made:
        yield made


OUTSIDE = """
import ctypes, fcntl
libc = ctypes.CDLL(None, use_errno=True)
readable = os.path.dirname(outside) + "/project/train.py"
opened = os.open(readable, os.O_RDONLY)
os.symlink(outside, "link")
folder = os.open(os.path.dirname(readable), os.O_RDONLY)
access = b"\\2\\0\\0\\0" + b"\\1\\0\\7\\0\\xff\\xff\\xff\\xff"
attempt("chmod", lambda: os.chmod(outside, 0o777))
attempt("set-user-ID", lambda: os.chmod(outside, 0o4755))
attempt("chmod of what it reads", lambda: os.chmod(readable, 0o777))
attempt("chmod of a folder", lambda: os.chmod(os.path.dirname(outside), 0o777))
attempt("fchmod", lambda: os.fchmod(opened, 0o777))
attempt("chmod below a descriptor", lambda: os.chmod("train.py", 0o777, dir_fd=folder))
attempt("chmod through a link", lambda: os.chmod("link", 0o777))
attempt("chmod through /proc", lambda: os.chmod(f"/proc/self/fd/{opened}", 0o777))
attempt("chmod upwards", lambda: os.chmod("../telemetry.db", 0o777))
attempt("utime", lambda: os.utime(outside))
attempt("utime with times", lambda: os.utime(readable, (1, 1)))
attempt("futimens", lambda: os.utime(opened, (1, 1)))
attempt("attribute", lambda: os.setxattr(outside, "user.x", b"1"))
attempt("attribute of what it reads", lambda: os.setxattr(opened, "user.x", b"1"))
attempt("attribute removed", lambda: os.removexattr(outside, "user.x"))
attempt("chown", lambda: os.chown(outside, 12345, -1))
attempt("chown to itself", lambda: os.chown(outside, os.getuid(), -1))
attempt("flags", lambda: fcntl.ioctl(opened, 0x40086602, b"\\x40" + bytes(7)))
attempt("access list", lambda: os.setxattr(outside, "system.posix_acl_access", access))
"""


def test_b7_a_confined_program_changes_no_modes(program: Confined) -> None:
    targets = [
        program.own,
        program.own / "notes",
        program.project / "train.py",
        program.run_dir / "telemetry.db",
    ]
    before = [facts(path) for path in targets]
    found = program.answers(OUTSIDE)
    assert found.pop("access list") in (EPERM, ENOTSUP)
    assert len(found) == 18
    assert found == dict.fromkeys(found, EPERM)
    assert [facts(path) for path in targets] == before


def facts(path: Path) -> tuple[object, ...]:
    info = path.stat()
    return info.st_mode, info.st_uid, info.st_gid, info.st_mtime_ns, info.st_ctime_ns, os.listxattr(path)


OWN = """
import shutil, subprocess, tempfile, threading
attributes = True
def check(name, act, seen):
    def both():
        act()
        assert seen(), os.stat("x")
    attempt(name, both)
mode = lambda: os.stat("x").st_mode & 0o7777
open("x", "w").write("text")
opened, folder = os.open("x", os.O_RDONLY), os.open(".", os.O_RDONLY)
os.symlink("x", "link"); os.symlink(outside, "astray")
check("chmod", lambda: os.chmod("x", 0o640), lambda: mode() == 0o640)
check("absolute", lambda: os.chmod(os.path.abspath("x"), 0o600), lambda: mode() == 0o600)
check("fchmod", lambda: os.fchmod(opened, 0o604), lambda: mode() == 0o604)
check("below a descriptor", lambda: os.chmod("x", 0o611, dir_fd=folder), lambda: mode() == 0o611)
check("through a link", lambda: os.chmod("link", 0o644), lambda: mode() == 0o644)
check("through /proc", lambda: os.chmod(f"/proc/self/fd/{opened}", 0o601), lambda: mode() == 0o601)
check("no set-id bit", lambda: os.chmod("x", 0o6755), lambda: mode() == 0o755)
check("times", lambda: os.utime("x", (1, 2.5)), lambda: os.stat("x").st_mtime == 2.5)
check("times of a descriptor", lambda: os.utime(opened, ns=(1, 5)), lambda: os.stat("x").st_mtime_ns == 5)
check("now", lambda: os.utime("x"), lambda: os.stat("x").st_mtime > 1e9)
touch_link = lambda: os.utime("astray", (1, 2), follow_symlinks=False)
check("times of a link", touch_link, lambda: os.lstat("astray").st_mtime == 2)
check("owner as it is", lambda: os.chown("x", os.getuid(), -1), lambda: True)
check("copies", lambda: shutil.copy2("x", "y"), lambda: os.stat("y").st_mtime_ns == os.stat("x").st_mtime_ns)
os.mkdir("tree"); shutil.copy("x", "tree/x")
check("trees", lambda: shutil.copytree("tree", "tree2"), lambda: os.path.exists("tree2/x"))
check("removing", lambda: shutil.rmtree("tree2"), lambda: True)
work = "cp -a tree tree3 && tar cf t.tar tree && mkdir un && tar xf t.tar -C un && install -m 700 x z && chmod +x y"
check("tools", lambda: subprocess.run(work, shell=True, check=True), lambda: os.access("z", os.X_OK))
thread = threading.Thread(target=lambda: check("in a thread", lambda: os.chmod("x", 0o600), lambda: mode() == 0o600))
thread.start(); thread.join()
def attribute():
    try:
        os.setxattr("x", "user.x", b"1")
    except OSError as error:
        if error.errno != 95: raise  # a file system without attributes
    else:
        assert os.getxattr(opened, "user.x") == b"1"
        os.removexattr("x", "user.x")
        assert os.listxattr(opened) == []
attempt("attribute", attribute)
attempt("missing", lambda: os.chmod("none", 0o600))
attempt("bad descriptor", lambda: os.fchmod(999, 0o600))
attempt("owner", lambda: os.chown("x", 12345, -1))
attempt("created with set-id", lambda: os.open("s", os.O_CREAT | os.O_WRONLY, 0o4755))
"""


def test_b7_a_program_changes_what_is_in_its_own_folders(program: Confined) -> None:
    found = program.answers(OWN)
    refused = {
        "missing": errno.ENOENT,
        "bad descriptor": errno.EBADF,
        "owner": EPERM,
        "created with set-id": EPERM,
    }
    assert {name: found.pop(name) for name in refused} == refused
    assert len(found) == 18
    assert found == dict.fromkeys(found), program.log


def test_b7_a_second_name_of_a_file_outside_is_not_changed(own_program: Confined) -> None:
    """The link was there before the program: it cannot make one."""
    os.link(own_program.own / "notes", own_program.files / "notes")
    before = facts(own_program.own / "notes")
    code = "attempt('mode', lambda: os.chmod('notes', 0o777)); attempt('times', lambda: os.utime('notes', (1, 1)))"
    assert own_program.answers(code) == {"mode": EPERM, "times": EPERM}
    assert facts(own_program.own / "notes") == before


def test_b7_without_folders_to_write_to_nothing_is_changed(own_program: Confined) -> None:
    code = "attempt('mode', lambda: os.chmod(outside, 0o777)); attempt('owner', lambda: os.chown(outside, -1, -1))"
    assert own_program.answers(code, writes=()) == {"mode": EPERM, "owner": EPERM}


STORM = """
import random, signal, threading, time
open("x", "w").close()
def hammer():
    for number in range(150):
        os.chmod("x", 0o600 | number % 8)
children = []
for _ in range(12):
    pid = os.fork()
    if pid == 0:
        while True: os.chmod("x", 0o600)
    children.append(pid)
threads = [threading.Thread(target=hammer) for _ in range(8)]
for thread in threads: thread.start()
for pid in children:
    os.kill(pid, signal.SIGKILL); os.waitpid(pid, 0)
for thread in threads: thread.join()
swapping = os.fork()
if swapping == 0:
    while True:
        for target in (outside, "x"):
            os.symlink(target, "new"); os.rename("new", "swap")
def swap():
    for _ in range(300):
        try: os.chmod("swap", 0o666)
        except OSError: pass
attempt("storm", swap)
os.kill(swapping, signal.SIGKILL)
left = os.fork()
if left == 0:
    while True: os.chmod("x", 0o600)
"""


def test_b7_a_storm_of_calls_neither_blocks_the_guardian_nor_slips_through(own_program: Confined) -> None:
    """Threads that die while they wait, links that are exchanged meanwhile, and a process that is left over."""
    found = own_program.answers(STORM)
    assert found == {"storm": None}
    assert stat.S_IMODE((own_program.own / "notes").stat().st_mode) & 0o022 == 0


NEIGHBOUR = """
neighbour = int(os.environ.get("NEIGHBOUR") or open("neighbour").read())
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
def call(function, *arguments):
    if getattr(libc, function)(*arguments) == -1:
        raise OSError(ctypes.get_errno(), function)
attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, neighbour, 5))
attempt("priority of a group", lambda: os.setpriority(os.PRIO_PGRP, 0, 5))
attempt("priority of the user", lambda: os.setpriority(os.PRIO_USER, 0, 5))
attempt("processors", lambda: os.sched_setaffinity(neighbour, {0}))
attempt("scheduler", lambda: os.sched_setscheduler(neighbour, os.SCHED_IDLE, os.sched_param(0)))
attempt("guardian", lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 5))
attempt("shared memory", lambda: call("shmget", 0, 4096, 0o1600))
attempt("semaphores", lambda: call("semget", 0, 1, 0o1600))
attempt("queue", lambda: call("msgget", 0, 0o1600))
attempt("inotify", lambda: call("inotify_init1", 0))
attempt("own processors", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))
attempt("own processors by number", lambda: os.sched_setaffinity(os.getpid(), os.sched_getaffinity(0)))
def pinned_thread():
    import threading
    def pin():
        mask = (ctypes.c_ulong * 16)(1 << min(os.sched_getaffinity(0)))
        libc.pthread_self.restype = ctypes.c_void_p
        error = libc.pthread_setaffinity_np(ctypes.c_void_p(libc.pthread_self()), ctypes.sizeof(mask), mask)
        if error: raise OSError(error, "pthread")
        assert len(os.sched_getaffinity(0)) == 1
        attempt("thread pinned by its library", lambda: None)
    thread = threading.Thread(target=pin); thread.start(); thread.join()
pinned_thread()
attempt("nice", lambda: os.nice(1))
attempt("others are visible", lambda: os.sched_getaffinity(neighbour))
"""


def test_b13_other_processes_keep_their_priority_and_nothing_outlives_the_run(program: Confined) -> None:
    neighbour = subprocess.Popen(["sleep", "600"], **program.as_user())
    try:
        before = standing(neighbour.pid)
        (program.files / "neighbour").write_text(str(neighbour.pid))
        found = program.answers(NEIGHBOUR)
        assert standing(neighbour.pid) == before
    finally:
        neighbour.kill()
        neighbour.wait()
    own = (
        "own processors",
        "own processors by number",
        "thread pinned by its library",
        "nice",
        "others are visible",
    )
    assert {name: found.pop(name, "missing") for name in own} == dict.fromkeys(own)
    absent = ("shared memory", "semaphores", "queue", "inotify")
    assert {name: found.pop(name) for name in absent} == dict.fromkeys(absent, ENOSYS)
    assert len(found) == 6
    assert found == dict.fromkeys(found, EPERM)


def standing(pid: int) -> tuple[object, ...]:
    return os.getpriority(os.PRIO_PROCESS, pid), os.sched_getaffinity(pid), os.sched_getscheduler(pid)
