"""Confinement of foreign programs: what one may read, write, reach and use up. Standard library only.

`confine` is called in the guardian's child between fork and exec and is never undone; the guardian stays outside.
What this machine can hold is found out by trying, in `guardian/confinement/probe.py`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
from typing import Any

from rl_lab.guardian.confinement import landlock, seccomp

PR_SET_NO_NEW_PRIVS, PR_CAPBSET_DROP = 38, 24
KEPT_CAPABILITIES = frozenset({0, 1, 3})
"""Of a lab that runs as root: CHOWN, DAC_OVERRIDE and FOWNER, or it could not use folders of others it was given."""
CAPABILITIES = 64

SYSTEM = (
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/etc", "/opt", "/proc", "/sys",
    "/nix/store", "/gnu/store", "/run/current-system", "/run/opengl-driver", "/var/cache/fontconfig",
)  # fmt: skip
"""Readable for everyone: programs, libraries, what the machine is. Nobody's home, no /tmp, no /var, no /run."""
RESOLVERS = (
    "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/run/nscd", "/var/lib/ca-certificates",
)  # fmt: skip
"""What finding a name in the network reads."""
DEVICES = (
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty",
    "/dev/dri", "/dev/kfd", "/dev/dxg",
)  # fmt: skip
SHARED_MEMORY = "/dev/shm"  # noqa: S108  the folder itself: POSIX shared memory and semaphores are files in it

_libc = ctypes.CDLL(None, use_errno=True)


class NotConfined(Exception):
    """What was promised could not be put in place, so the program was not started; words say what."""


def confine(order: dict[str, Any]) -> None:
    """Hold this process to `order`, the `confine` entry of launch.json; raises NotConfined.

    `landlock` (an ABI, 0 = without) and `seccomp` say what was promised; what the machine lacks is not asked for.
    """
    network = bool(order.get("network"))
    try:
        limit("file size", resource.RLIMIT_FSIZE, int(order.get("file_bytes") or 0))
        limit("memory", resource.RLIMIT_AS, int(order.get("memory_bytes") or 0))
        give_up_privileges()
        if abi := int(order.get("landlock") or 0):
            landlock.restrict(abi, rules(order), network=network)
        if order.get("seccomp"):
            seccomp.install(network=network)
    except OSError as error:
        words = f"The program was not started, because it could not be confined: {error.strerror or error}."
        raise NotConfined(words) from error


def rules(order: dict[str, Any]) -> list[tuple[str, int]]:
    """Paths with what is allowed beneath them; NotConfined when a folder to write to is missing."""
    writes = topmost(order.get("writes", ()))
    for path in writes:
        if not os.path.exists(path):  # noqa: PTH110  the guardian does without pathlib
            raise NotConfined(f"The program was not started: there is no {path} that it could write to.")
    reads = [path for path in order.get("reads", ()) if not _is_beneath(path, writes)]
    found = [
        (path, landlock.READ) for path in (*_system(), *(RESOLVERS if order.get("network") else ()), *reads)
    ]
    found += [(path, landlock.DEVICE) for path in (*DEVICES, *_graphics())]
    found += [("/dev", landlock.READ_DIR), (SHARED_MEMORY, landlock.WRITE)]
    return [*found, *((path, landlock.WRITE) for path in writes)]


def topmost(paths: Any) -> list[str]:
    """Without those that lie in another one of them.

    A rule is about what a path leads to. In a folder it may write to, a program could have put a link to elsewhere
    during an earlier attempt: no such path is ever opened here.
    """
    given = list(dict.fromkeys(os.path.normpath(path) for path in paths))
    return [path for path in given if not _is_beneath(path, [other for other in given if other != path])]


def _is_beneath(path: str, folders: list[str]) -> bool:
    path = os.path.normpath(path)
    return any(path == folder or path.startswith(folder.rstrip("/") + "/") for folder in folders)


def _system() -> list[str]:
    if os.geteuid() != 0:
        return list(SYSTEM)
    # Root reads what nobody else may: of /etc only what is everyone's is left, so no password hashes and no keys.
    return [path for path in SYSTEM if path != "/etc"] + _open_to_all("/etc")


def _open_to_all(folder: str) -> list[str]:
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            try:
                mode = entry.stat().st_mode
            except OSError:
                continue
            if mode & 0o004 and entry.name != "ssh":
                found.append(entry.path)
    return found


def _graphics() -> list[str]:
    """NVIDIA's devices; its driver also writes the names of its threads below /proc."""
    devices = sorted(name for name in os.listdir("/dev") if name.startswith("nvidia"))  # noqa: PTH208
    if not devices:
        return []
    # For root, all of /proc would hold the switches of the kernel.
    names = "/proc/self" if os.geteuid() == 0 else "/proc"
    return [*(f"/dev/{name}" for name in devices), names]


def limit(what: str, kind: int, most: int) -> None:
    """Lower a limit for good; 0 leaves it, and one that is lower already stays."""
    if most <= 0:
        return
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    try:
        resource.setrlimit(kind, (most, most))
    except ValueError as error:
        raise OSError(errno.EINVAL, f"the limit of {what} was refused ({error})") from None


def give_up_privileges() -> None:
    """No program started from here gains any right; a lab run as root gives most of root's powers away."""
    if _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    if os.geteuid() == 0:
        _drop_capabilities()


def _drop_capabilities() -> None:
    for number in range(CAPABILITIES):
        if number not in KEPT_CAPABILITIES:
            _libc.prctl(
                PR_CAPBSET_DROP, number, 0, 0, 0
            )  # refused beyond the last one there is, and without SETPCAP
    kept = sum(1 << number for number in KEPT_CAPABILITIES)
    # Version 3 of the interface: effective, permitted and inheritable in two 32-bit halves.
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    data = (ctypes.c_uint32 * 6)()
    if _libc.capget(header, data) == 0:
        data[:] = [word & kept if index < 2 else 0 for index, word in enumerate(data)]
        _libc.capset(header, data)
