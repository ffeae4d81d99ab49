"""Confinement of foreign programs: which files, network and resources one may use. Standard library only.

`confine` is called in the guardian's child between fork and exec and cannot be undone; the guardian itself is not
confined. What this machine can enforce is tested by `guardian/confinement/probe.py`.
"""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Callable, Iterable

from rl_lab.guardian.confinement import landlock, seccomp
from rl_lab.guardian.confinement.privileges import give_up_privileges
from rl_lab.guardian.confinement.shared_memory import SHARED_MEMORY, cover_shared_memory
from rl_lab.guardian.files import Confinement

SYSTEM = (
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/bin",
    "/sbin",
    "/etc",
    "/opt",
    "/proc",
    "/sys",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    "/run/opengl-driver",
    "/var/cache/fontconfig",
)
"""Always readable: programs, libraries, facts about the machine. No home folder, no /tmp, no /var, no /run."""
RESOLVERS = (
    "/run/systemd/resolve",
    "/run/resolvconf",
    "/run/NetworkManager",
    "/run/nscd",
    "/var/lib/ca-certificates",
)
"""Read by name resolution and TLS."""
DEVICES = (
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/dri",
    "/dev/kfd",
    "/dev/dxg",
)


NEEDED_SETTINGS = ("ld.so.cache", "localtime", "fonts", "passwd", "group", "nsswitch.conf", "alternatives")
"""In /etc: what programs and libraries read at their start."""


class NotConfined(Exception):
    """The promised confinement could not be applied, so the program was not started; the message says why."""


def confine(order: Confinement, hand_over: Callable[[int], None] | None = None) -> None:
    """Confine this process and everything it starts; raises NotConfined.

    `landlock` and `seccomp` say what was promised; what the machine does not support is not requested. `hand_over` gets
    the listener of the calls that the guardian decides; without it they are refused.
    """
    try:
        limit("file size", resource.RLIMIT_FSIZE, order.file_bytes)
        limit("memory", resource.RLIMIT_AS, order.memory_bytes)
        shares_memory = _cover_shared_memory(order)
        give_up_privileges(order.uid, order.gid)
        if order.landlock:
            allowed = rules(order, shares_memory=shares_memory)
            landlock.restrict(order.landlock, allowed, network=order.network)
        if order.seccomp:
            listener = seccomp.install(network=order.network, supervised=hand_over is not None)
            if hand_over is not None and listener is not None:
                hand_over(listener)
                os.close(listener)
    except OSError as error:
        words = f"The program was not started, because it could not be confined: {error.strerror or error}."
        raise NotConfined(words) from error


def _cover_shared_memory(order: Confinement) -> bool:
    """Whether it may use /dev/shm: one of its own if that was promised.

    A process that is confined already cannot make one for what it starts, such as user code: that gets none at all.
    """
    if not order.own_shared_memory or not order.writes:
        return True
    try:
        cover_shared_memory(order.resident_bytes)
    except PermissionError:
        if not order.landlock:
            raise
        return False
    return True


def rules(order: Confinement, *, shares_memory: bool = True) -> list[tuple[str, int]]:
    """Paths with what is allowed beneath them; NotConfined when a folder to write to is missing."""
    writes = topmost(order.writes)
    for path in writes:
        if not os.path.exists(path):  # noqa: PTH110  the guardian does not import pathlib
            raise NotConfined(f"The program was not started: {path}, which it may write to, does not exist.")
    own = [order.own_environments] if order.own_environments else []
    reads = [path for path in (*order.reads, *own) if not _is_beneath(path, writes)]
    resolvers = RESOLVERS if order.network else ()
    found = [(path, landlock.READ) for path in (*_system(), *resolvers, *reads)]
    found += [(path, landlock.DEVICE) for path in (*DEVICES, *_graphics())]
    found.append(("/dev", landlock.READ_DIR))
    if writes and shares_memory:
        # Whatever may write nothing gets no shared memory either: files in it stay after its end.
        found.append((SHARED_MEMORY, landlock.WRITE))
    return [*found, *((path, landlock.WRITE) for path in writes)]


def topmost(paths: Iterable[str]) -> list[str]:
    """The paths without those inside another one of them.

    A rule applies to the target of a link. In a folder it may write to, a program could have created a link to
    another place during an earlier attempt: such a path is never opened here.
    """
    given = list(dict.fromkeys(os.path.normpath(path) for path in paths))
    return [path for path in given if not _is_beneath(path, [other for other in given if other != path])]


def _is_beneath(path: str, folders: list[str]) -> bool:
    path = os.path.normpath(path)
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def _system() -> list[str]:
    if os.geteuid() != 0:
        return list(SYSTEM)
    # Root can read everything: of /etc only world-readable entries are allowed, so no password hashes and no keys.
    return [path for path in SYSTEM if path != "/etc"] + _open_to_all("/etc")


def _open_to_all(folder: str) -> list[str]:
    try:
        entries = os.scandir(folder)
    except PermissionError:  # this process is confined already, so it cannot list the folder
        return [f"{folder}/{name}" for name in NEEDED_SETTINGS]
    found = []
    with entries:
        for entry in entries:
            try:
                mode = entry.stat().st_mode
            except OSError:
                continue
            if mode & 0o004 and entry.name != "ssh":
                found.append(entry.path)
    return found


def _graphics() -> list[str]:
    """NVIDIA's devices; the driver also writes the names of its threads below /proc."""
    devices = sorted(name for name in os.listdir("/dev") if name.startswith("nvidia"))  # noqa: PTH208
    if not devices:
        return []
    # As root, write access to all of /proc would include kernel settings.
    names = "/proc/self" if os.geteuid() == 0 else "/proc"
    return [*(f"/dev/{name}" for name in devices), names]


def limit(what: str, kind: int, most: int) -> None:
    """Lower a limit permanently; 0 changes nothing, and a lower existing limit stays."""
    if most <= 0:
        return
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    try:
        resource.setrlimit(kind, (most, most))
    except ValueError as error:
        raise OSError(errno.EINVAL, f"the limit of {what} was refused ({error})") from None
