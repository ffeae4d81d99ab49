"""How well foreign code is confined on this machine, and the rules that the guardian applies."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.commands import Command, Isolation
from rl_lab.core.findings import Finding
from rl_lab.core.runs import Run
from rl_lab.guardian.confinement.probe import Available
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.confinement_probe import probe
from rl_lab.orchestrator.foreign.script_user import script_user
from rl_lab.orchestrator.looking import own_environments
from rl_lab.runners.foreign import SECRETS, refuse_lab_files
from rl_lab.settings import Settings
from rl_lab.store import events, runs

PROCESSES = 512
"""A foreign run with more living processes than this is a fork bomb; its guardian kills it."""
THREADS = max(8192, 128 * (os.cpu_count() or 1))
"""Of all its processes together. Numeric libraries start a thread per core in each process: 64 such processes have room
on any machine, and the kernel allows several times as many for the whole machine."""


def isolation() -> tuple[Isolation, str]:
    """The level a foreign run gets here, and a sentence about what cannot be restricted; "" when everything is."""
    return describe(probe())


def describe(found: Available) -> tuple[Isolation, str]:
    level = found.level
    if level == "confined":
        return level, ""
    gaps = "; ".join(found.gaps)
    if level == "none":
        return level, f"Not isolated: this system offers nothing to confine a program with, so {gaps}."
    return level, f"Only partly isolated: {gaps}."


def confinement_of(command: Command, settings: Settings) -> Confinement:
    """The `confine` entry of launch.json; InvalidInput when a path contains the lab's own files."""
    for field, paths in (("params.reads", command.reads), ("params.writes", command.writes)):
        for path in paths:
            refuse_lab_files(field, Path(path), settings.home_path, is_open=lambda name: name not in SECRETS)
    return base_confinement(settings)._replace(
        reads=[*command.reads, command.cwd],
        writes=command.writes,
        network=command.network,
        own_environments=own_environments(settings.home_path),
        file_bytes=settings.script_file_bytes,
        memory_bytes=settings.script_memory_bytes,
        processes=PROCESSES,
        threads=THREADS,
    )


def base_confinement(settings: Settings) -> Confinement:
    """What holds for every foreign program: no file may be read but the system's, none written, no network."""
    level, note = isolation()
    found = probe()
    user = script_user(settings)
    return Confinement(
        level=level,
        note=note,
        landlock=found.landlock,
        seccomp=found.seccomp,
        uid=user.uid if user else -1,
        gid=user.gid if user else -1,
        own_shared_memory=found.own_shared_memory,
    )


def note_isolation(conn: Connection, run_id: str, level: Isolation) -> Run:
    """Stores with the run how well it is confined, with an event in its log."""
    if level == "confined":
        events.append(conn, run_id, event_log.CONFINED, "Confined to the folders it was given.")
    else:
        message = isolation()[1] or "Not isolated: it was started as an ordinary process."
        events.append(conn, run_id, event_log.NOT_ISOLATED, message, data={"isolation": level})
    return runs.patch(conn, run_id, isolation=level)


def isolation_findings() -> list[Finding]:
    if platform.system() != "Linux":
        return [
            Finding(
                id="sandbox-level",
                title="Confinement",
                level="warning",
                message=f"Not available on {platform.system()}; foreign programs run as ordinary processes.",
                remedy="Run only scripts you trust.",
            )
        ]
    return [_level(), _landlock(), _seccomp(), _shared_memory(), _user_namespaces(), _cgroup()]


def _level() -> Finding:
    level, note = isolation()
    message = note or "Foreign programs are confined: files, network, signals, sizes."
    return _finding(
        "level",
        "Confinement",
        level == "confined",
        message,
        "" if level == "confined" else "Run only scripts you trust, or use a newer Linux kernel (≥ 6.12).",
    )


def _landlock() -> Finding:
    abi = probe().landlock
    if abi:
        return _finding("landlock", "Landlock", True, f"ABI {abi}: tried, files outside stay closed.")
    return _finding(
        "landlock",
        "Landlock",
        False,
        "The kernel does not offer it; a foreign program can read what you can read.",
        "A kernel ≥ 5.13 with Landlock in its `lsm=` list.",
    )


def _seccomp() -> Finding:
    if probe().seccomp and not probe().supervised:
        return _finding(
            "seccomp",
            "seccomp",
            False,
            "Tried, dangerous system calls are refused, and so are modes and times in a program's own folders.",
            "A kernel ≥ 5.9 with kernel.yama.ptrace_scope below 2, and no outer sandbox that uses seccomp listeners.",
        )
    if probe().seccomp:
        return _finding("seccomp", "seccomp", True, "Tried, sockets and dangerous system calls are refused.")
    return _finding(
        "seccomp",
        "seccomp",
        False,
        "The kernel or this processor does not offer it.",
        "A kernel with CONFIG_SECCOMP_FILTER on x86_64 or aarch64.",
    )


def _shared_memory() -> Finding:
    if probe().own_shared_memory:
        return _finding("shm", "Shared memory", True, "Tried, a foreign program has a /dev/shm of its own.")
    return _finding(
        "shm",
        "Shared memory",
        False,
        "The kernel refuses a /dev/shm of its own; a foreign program sees that of your other programs.",
        "Allow user namespaces for this user, or leave it: what a program leaves there is removed.",
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
        "userns",
        "User namespaces",
        False,
        f"Not available: {reason}.",
        "Landlock and seccomp are used instead; nothing needs doing.",
    )


def _cgroup() -> Finding:
    root = Path("/sys/fs/cgroup/cgroup.controllers")
    if not root.exists():
        return _finding(
            "cgroup",
            "cgroup v2",
            False,
            "Not mounted as the only hierarchy; memory of a worker cannot be capped.",
            "Boot with systemd.unified_cgroup_hierarchy=1, or leave it: runs work without.",
        )
    writable = os.access(root.parent / "cgroup.subtree_control", os.W_OK)
    note = "" if writable else " This user may not make groups; systemd-run --user --scope may."
    return _finding("cgroup", "cgroup v2", True, f"Controllers: {root.read_text().strip() or 'none'}.{note}")


def _number(path: str) -> int | None:
    try:
        return int(Path(path).read_text())
    except (OSError, ValueError):
        return None


def _finding(name: str, title: str, is_ready: bool, message: str, remedy: str = "") -> Finding:
    level: Literal["ok", "warning"] = "ok" if is_ready else "warning"
    return Finding(id=f"sandbox-{name}", title=title, level=level, message=message, remedy=remedy)
