"""The doctor checks the machine: each Finding describes one thing and what to do about it."""

from __future__ import annotations

import asyncio
import shutil
import socket
import sqlite3
import sys
from pathlib import Path
from typing import Any, Literal

from rl_lab.core.errors import WorkerFailed
from rl_lab.core.extras import EXTRAS, how_to_install
from rl_lab.core.findings import Finding
from rl_lab.orchestrator.disks import NETWORK_DISKS, existing, file_system_of
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.orchestrator.foreign.isolation import isolation_findings
from rl_lab.orchestrator.foreign.lab_python import has_module
from rl_lab.orchestrator.foreign.requirements import missing_requirements
from rl_lab.orchestrator.home import find_server
from rl_lab.runners.registry import all_specs
from rl_lab.settings import Settings

Level = Literal["ok", "warning", "problem"]
SAFE_SQLITE = (3, 51, 3)


async def examine(settings: Settings, catalogue: Catalogue) -> list[Finding]:
    """Everything worth knowing before the first run, in the order a person would ask."""
    local, torch = await asyncio.gather(
        asyncio.to_thread(_examine_machine, settings), _examine_torch(catalogue)
    )
    environments = await _examine_environments(catalogue)
    return [*local[:2], *torch, environments, *local[2:]]


def _examine_machine(settings: Settings) -> list[Finding]:
    home = settings.home_path
    return [
        python_finding(sys.version_info[:3]),
        sqlite_finding(sqlite3.sqlite_version_info, settings.database_url),
        disk_finding(home, shutil.disk_usage(existing(home)).free, settings.min_free_bytes),
        file_system_finding(home),
        port_finding(settings),
        *runner_findings(),
        *(extra_finding(name) for name, extra in EXTRAS.items() if extra.runner is None),
        *isolation_findings(),
    ]


def python_finding(version: tuple[int, ...]) -> Finding:
    text = ".".join(map(str, version))
    if version < (3, 11):
        return Finding(
            id="python",
            title="Python",
            level="problem",
            message=f"Python {text} is too old.",
            remedy="Install Python 3.11 or newer.",
        )
    return Finding(id="python", title="Python", level="ok", message=f"Python {text} at {sys.executable}.")


def sqlite_finding(version: tuple[int, ...], database_url: str | None) -> Finding:
    text = ".".join(map(str, version))
    if version >= SAFE_SQLITE:
        return Finding(id="sqlite", title="SQLite", level="ok", message=f"SQLite {text}.")
    where = " (runs and events are in PostgreSQL; each run's series are in SQLite)" if database_url else ""
    return Finding(
        id="sqlite",
        title="SQLite",
        level="ok",
        message=f"SQLite {text}{where}. Versions before 3.51.3 can damage a file when two connections write or "
        "checkpoint at once; the lab is safe because each file has one writer, which alone checkpoints.",
        remedy="Do not write to the lab's database files with other programs while it runs.",
    )


def disk_finding(home: Path, free: int, needed: int) -> Finding:
    level: Level = "ok" if free >= 4 * needed else "warning" if free >= needed else "problem"
    remedy = "" if level == "ok" else "Free some space, or move the home folder with --home."
    message = f"{free / 1e9:.1f} GB free for {home}; a run needs {needed / 1e9:.1f} GB to start."
    return Finding(id="disk", title="Disk", level=level, message=message, remedy=remedy)


def file_system_finding(folder: Path) -> Finding:
    kind = file_system_of(folder)
    if kind in NETWORK_DISKS:
        return Finding(
            id="file-system",
            title="File system",
            level="problem",
            message=f"The home folder is on a network disk ({kind}); SQLite's locks are not safe there.",
            remedy="Put the home folder on a local disk with --home or RL_LAB_HOME.",
        )
    return Finding(
        id="file-system",
        title="File system",
        level="ok",
        message=f"The home folder is on {kind or 'a local disk'}.",
    )


def port_finding(settings: Settings) -> Finding:
    title = f"Port {settings.port}"
    if settings.port == 0:
        return Finding(id="port", title="Port", level="ok", message="Any free port is taken.")
    with socket.socket() as probe:
        probe.settimeout(0.5)
        is_taken = probe.connect_ex((settings.host, settings.port)) == 0
    if not is_taken:
        return Finding(id="port", title=title, level="ok", message="Free.")
    server = find_server(settings.home_path)
    if server is not None and str(server.get("url", "")).rstrip("/").endswith(f":{settings.port}"):
        return Finding(id="port", title=title, level="ok", message="This lab listens on it.")
    return Finding(
        id="port",
        title=title,
        level="warning",
        message="Another program listens on it.",
        remedy="Use `rl-lab serve --port 0`, or set RL_LAB_PORT.",
    )


def runner_findings() -> list[Finding]:
    found = []
    for spec in all_specs():
        missing = missing_requirements(spec)
        names = ", ".join(r.module for r in missing)
        found.append(
            Finding(
                id=f"runner-{spec.id}",
                title=f"Runner {spec.name}",
                level="warning" if missing else "ok",
                message=f"Missing: {names}." if missing else "Ready.",
                remedy=" ".join(dict.fromkeys(r.remedy for r in missing)),
            )
        )
    return found


def extra_finding(name: str) -> Finding:
    extra = EXTRAS[name]
    is_missing = not all(map(has_module, extra.modules))
    message = (
        f"Not installed; only needed for {extra.purpose}." if is_missing else f"Installed: {extra.purpose}."
    )
    remedy = how_to_install(name) if is_missing else ""
    return Finding(id=f"extra-{name}", title=f"Extra “{name}”", level="ok", message=message, remedy=remedy)


async def _examine_torch(catalogue: Catalogue) -> list[Finding]:
    try:
        probed = await catalogue.devices()
    except WorkerFailed as error:
        return [
            Finding(
                id="torch",
                title="PyTorch",
                level="problem",
                message=error.detail,
                remedy="Install it again: pip install --force-reinstall torch",
            )
        ]
    return [torch_finding(probed), gpu_finding(probed)]


def torch_finding(probed: dict[str, Any]) -> Finding:
    version = probed.get("torch")
    if not version:
        return Finding(
            id="torch",
            title="PyTorch",
            level="ok",
            message="Not installed; only Stable-Baselines3, CleanRL, CORL and learning from datasets need it.",
            remedy=how_to_install("sb3"),
        )
    return Finding(id="torch", title="PyTorch", level="ok", message=f"torch {version}.")


def gpu_finding(probed: dict[str, Any]) -> Finding:
    devices = probed.get("devices") or []
    if devices:
        names = ", ".join(str(d["name"]) for d in devices)
        return Finding(id="gpu", title="GPU", level="ok", message=f"{names}.")
    return Finding(
        id="gpu",
        title="GPU",
        level="ok",
        message="No CUDA GPU that torch can use; small networks train as fast on the CPU.",
        remedy="For a GPU install the driver and a torch build with CUDA.",
    )


async def _examine_environments(catalogue: Catalogue) -> Finding:
    try:
        found = await catalogue.environments()
    except WorkerFailed as error:
        return Finding(
            id="environments",
            title="Environments",
            level="problem",
            message=error.detail,
            remedy="pip install --force-reinstall 'gymnasium[classic-control,toy-text]'",
        )
    installable = [e for e in found if e.install]
    broken = [e.id for e in found if e.problem and not e.install]
    return Finding(
        id="environments",
        title="Environments",
        level="ok" if not broken else "warning",
        message=f"{len(found) - len(installable) - len(broken)} can be made here"
        + (f", {len(installable)} more after an install" if installable else "")
        + (f", {len(broken)} cannot: {', '.join(broken[:5])}." if broken else "."),
        remedy="`rl-lab envs` shows what each one needs." if broken or installable else "",
    )
