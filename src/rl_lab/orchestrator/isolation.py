"""What this machine offers to fence a worker in: Landlock, seccomp, user namespaces, cgroup v2."""

from __future__ import annotations

import ctypes
import os
import platform
from pathlib import Path
from typing import Literal

from rl_lab.core.findings import Finding

_LANDLOCK_CREATE_RULESET = 444
_LANDLOCK_CREATE_RULESET_VERSION = 1
_PR_GET_SECCOMP = 21


def isolation_findings() -> list[Finding]:
    if platform.system() != "Linux":
        return [
            Finding(
                id="sandbox", title="Isolation of workers", level="warning",
                message=f"Not available on {platform.system()}; workers run as ordinary processes.",
                remedy="Run only code you trust.",
            )
        ]  # fmt: skip
    return [_landlock(), _seccomp(), _user_namespaces(), _cgroup()]


def landlock_abi() -> int:
    """The kernel's Landlock ABI; 0 = not there or turned off."""
    libc = ctypes.CDLL(None, use_errno=True)
    abi = libc.syscall(_LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), _LANDLOCK_CREATE_RULESET_VERSION)
    return max(int(abi), 0)


def _landlock() -> Finding:
    abi = landlock_abi()
    if abi:
        return _finding("landlock", "Landlock", True, f"ABI {abi}: a worker's file access can be limited.")
    return _finding(
        "landlock", "Landlock", False, "The kernel does not offer it; a worker can read what you can read.",
        "A kernel ≥ 5.13 with Landlock in its `lsm=` list.",
    )  # fmt: skip


def _seccomp() -> Finding:
    libc = ctypes.CDLL(None, use_errno=True)
    ready = libc.prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) >= 0
    message = "System calls of a worker can be limited." if ready else "The kernel does not offer it."
    return _finding(
        "seccomp", "seccomp", ready, message, "" if ready else "A kernel with CONFIG_SECCOMP_FILTER."
    )


def _user_namespaces() -> Finding:
    if _number("/proc/sys/user/max_user_namespaces") == 0:
        reason = "they are turned off (user.max_user_namespaces = 0)"
    elif _number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1 and os.geteuid() != 0:
        reason = "AppArmor keeps them from ordinary users"
    elif not Path("/proc/self/ns/user").exists():
        reason = "the kernel has none"
    else:
        return _finding("userns", "User namespaces", True, "Available.")
    return _finding(
        "userns", "User namespaces", False, f"Not available: {reason}.",
        "Landlock and seccomp are used instead; nothing needs doing.",
    )  # fmt: skip


def _cgroup() -> Finding:
    root = Path("/sys/fs/cgroup/cgroup.controllers")
    if not root.exists():
        return _finding(
            "cgroup", "cgroup v2", False, "Not mounted as the only hierarchy; memory of a worker cannot be capped.",
            "Boot with systemd.unified_cgroup_hierarchy=1, or leave it: runs work without.",
        )  # fmt: skip
    writable = os.access(root.parent / "cgroup.subtree_control", os.W_OK)
    words = "" if writable else " This user may not make groups; systemd-run --user --scope may."
    return _finding("cgroup", "cgroup v2", True, f"Controllers: {root.read_text().strip() or 'none'}.{words}")


def _number(path: str) -> int | None:
    try:
        return int(Path(path).read_text())
    except (OSError, ValueError):
        return None


def _finding(name: str, title: str, is_ready: bool, message: str, remedy: str = "") -> Finding:
    level: Literal["ok", "warning"] = "ok" if is_ready else "warning"
    return Finding(id=f"sandbox-{name}", title=title, level=level, message=message, remedy=remedy)
