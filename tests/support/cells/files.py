"""Files of the lab, of the user and of the machine: reading, writing, and changing what is known about them."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from typing import Any

from .cell import ABSENT, REFUSED, Cell, bind, check, libc, read, write, write_mode
from .rows import RAISES_SCORES, has_gpu


def reading(at: Any) -> list[Cell]:
    files = {
        "token": at.home + "/token",
        "database": at.home + "/lab.db",
        "another run": at.home + "/runs/other/config.json",
        "launch.json": at.attempt + "/launch.json",
        "lock": at.attempt + "/lock",
        "telemetry": at.run + "/telemetry.db",
        "ssh key": at.own + "/.ssh/id_ed25519",
        "shell settings": at.own + "/.bashrc",
        "notes": at.own + "/notes",
        "guardian's code": at.code + "/rl_lab/guardian/main.py",
    }
    folders = (
        "/",
        "/tmp",
        "/var/log",
        "/var/lib",
        "/var/tmp",
        "/run",
        "/home",
        "/root",
        "/mnt",
        "/media",
        "/srv",
        "/boot",
    )
    devices = (
        "/dev/mem",
        "/dev/kmsg",
        "/dev/port",
        "/dev/sda",
        "/dev/vda",
        "/dev/nvme0n1",
        "/dev/fuse",
        "/dev/kvm",
    )
    devices += (
        "/dev/input/event0",
        "/dev/snd/controlC0",
        "/dev/loop0",
        "/dev/net/tun",
        "/dev/uinput",
        "/dev/vhost-net",
    )
    secrets = ("/etc/shadow", "/proc/kcore", "/proc/kmsg", "/proc/sysrq-trigger")

    def through_link() -> None:
        os.symlink(files["token"], "to-token")
        read("to-token")

    def through_place() -> None:
        place = os.open(files["token"], os.O_PATH)
        read(f"/proc/self/fd/{place}")

    def by_handle() -> None:
        check(libc.syscall(at.calls["open_by_handle_at"], -100, bytes(64), 0))

    return [
        *(Cell("read", name, lambda path=path: read(path)) for name, path in files.items()),
        *(
            Cell("read", f"names in {path}", lambda path=path: os.listdir(path), REFUSED | ABSENT)
            for path in folders
        ),
        *(
            Cell("read", path, lambda path=path: read(path), REFUSED | ABSENT)
            for path in (*devices, *secrets)
        ),
        Cell("read", "names in the lab's home", lambda: os.listdir(at.home)),
        Cell("read", "names in the journal", lambda: os.listdir(at.attempt + "/journal")),
        Cell("read", "names in the user's folder", lambda: os.listdir(at.own)),
        Cell("read", "through a link of its own", through_link),
        Cell("read", "through a place in /proc", through_place),
        Cell("read", "by a handle", by_handle),
        Cell("read", "attributes", lambda: os.getxattr(files["notes"], "user.x"), REFUSED | {errno.ENOTSUP}),
        Cell("read", "names of attributes", lambda: os.listxattr(files["notes"]), REFUSED | {errno.ENOTSUP}),
        Cell("read", "by executing it", lambda: os.execv(files["notes"], ["notes"])),
    ]


def writing(at: Any) -> list[Cell]:
    files = {
        "token": at.home + "/token",
        "database": at.home + "/lab.db",
        "another run": at.home + "/runs/other/config.json",
        "launch.json": at.attempt + "/launch.json",
        "lock": at.attempt + "/lock",
        "control pipe": at.attempt + "/control",
        "telemetry": at.run + "/telemetry.db",
        "shell settings": at.own + "/.bashrc",
        "the script": at.project + "/train.py",
        "byte code": at.project + "/__pycache__/train.pyc",
        "packages": at.project + "/venv/site.py",
    }
    new = {
        "home": at.home,
        "run folder": at.run,
        "attempt": at.attempt,
        "journal": at.attempt + "/journal",
        "project": at.project,
        "user's folder": at.own,
        "/tmp": "/tmp",
        "/var/tmp": "/var/tmp",
        "/etc": "/etc",
        "/usr": "/usr",
        "/dev": "/dev",
        "/sys": "/sys",
        "/proc": "/proc",
    }
    settings = {
        "kernel settings": "/proc/sys/kernel/core_pattern",
        "kernel keys": "/proc/sysrq-trigger",
        "kernel messages": "/dev/kmsg",
        "memory settings": "/sys/kernel/mm/ksm/run",
    }
    scores = {"neighbour": at.neighbour, "guardian": at.guardian}
    row = RAISES_SCORES if has_gpu() else None
    creating, appending = os.O_WRONLY | os.O_CREAT, os.O_WRONLY | os.O_APPEND
    lacking = REFUSED | ABSENT
    return [
        *(Cell("write", name, lambda path=path: write(path, appending)) for name, path in files.items()),
        *(
            Cell("write", f"a new file in {name}", lambda p=path: write(p + "/rl-lab-new", creating), lacking)
            for name, path in new.items()
        ),
        *(Cell("write", name, lambda path=path: write(path), lacking) for name, path in settings.items()),
        *(
            Cell(
                "write",
                f"memory score of the {who}",
                lambda p=f"/proc/{pid}/oom_score_adj": write(p),
                row=row,
            )
            for who, pid in scores.items()
        ),
        Cell("write", "exit record", lambda: write(at.attempt + "/exit.json", creating)),
        Cell("write", "truncate", lambda: os.truncate(at.own + "/notes", 0)),
        Cell("write", "a folder", lambda: os.mkdir(at.own + "/new")),
        Cell("write", "remove", lambda: os.unlink(at.own + "/notes")),
        Cell("write", "remove a folder", lambda: os.rmdir(at.own + "/empty")),
        Cell("write", "rename", lambda: os.rename(at.own + "/notes", at.own + "/other")),
        Cell("write", "move in", lambda: os.rename(at.own + "/notes", "notes")),
        Cell("write", "move its folder", lambda: os.rename(at.run + "/files", at.run + "/gone")),
        Cell("write", "link in", lambda: os.link(at.own + "/notes", "notes")),
        Cell("write", "link out", lambda: os.link("own", at.own + "/out")),
        Cell("write", "symbolic link", lambda: os.symlink("own", at.own + "/symbolic")),
        Cell("write", "a pipe", lambda: os.mkfifo(at.own + "/pipe")),
        Cell("write", "a device", lambda: os.mknod("device", 0o20600, os.makedev(1, 3))),
        Cell("write", "a socket", lambda: bind(at.own + "/socket")),
        Cell("write", "a file without a name", lambda: write(at.own, os.O_WRONLY | os.O_TMPFILE)),
    ]


def attributes(at: Any) -> list[Cell]:
    path, readable = at.own + "/notes", at.project + "/train.py"
    opened = os.open(readable, os.O_RDONLY) if os.path.exists(readable) else -1
    access = struct.pack("=I", 2) + struct.pack("=HHI", 2, 7, 12345)
    unsupported = REFUSED | {errno.ENOTSUP}
    return [
        Cell("attributes", "mode", lambda: os.chmod(path, 0o777)),
        Cell("attributes", "mode of the token", lambda: os.chmod(at.home + "/token", 0o644)),
        Cell("attributes", "mode of the lab's home", lambda: os.chmod(at.home, 0o755)),
        Cell("attributes", "mode of the script", lambda: os.chmod(readable, 0o666)),
        Cell("attributes", "mode of an open file", lambda: os.fchmod(opened, 0o666)),
        Cell("attributes", "set-user-ID", lambda: os.chmod(path, 0o4755)),
        Cell("attributes", "new file with set-user-ID", lambda: write_mode("s1", 0o4755)),
        Cell("attributes", "new file with set-group-ID", lambda: write_mode("s2", 0o2755)),
        Cell(
            "attributes",
            "access list",
            lambda: os.setxattr(path, "system.posix_acl_access", access),
            unsupported,
        ),
        Cell(
            "attributes",
            "capability",
            lambda: os.setxattr("own", "security.capability", bytes(20)),
            unsupported,
        ),
        Cell("attributes", "attribute", lambda: os.setxattr(path, "user.y", b"1")),
        Cell("attributes", "attribute of an open file", lambda: os.setxattr(opened, "user.y", b"1")),
        Cell("attributes", "remove an attribute", lambda: os.removexattr(path, "user.x")),
        Cell("attributes", "times", lambda: os.utime(path, (1, 1))),
        Cell("attributes", "times of an open file", lambda: os.utime(opened, (1, 1))),
        Cell("attributes", "owner", lambda: os.chown(path, 12345, -1)),
        Cell("attributes", "owner of its own file", lambda: os.chown("own", 12345, -1)),
        Cell("attributes", "flags", lambda: fcntl.ioctl(opened, 0x40086602, struct.pack("=Q", 0x40))),
        Cell("attributes", "verity", lambda: fcntl.ioctl(opened, 0x40806685, bytearray(128))),
    ]
