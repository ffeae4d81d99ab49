"""The machine the lab runs on: what it has, what it lacks, what each run takes of it."""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from pydantic import BaseModel

from rl_lab.api.deps import LabDep
from rl_lab.core.errors import WorkerFailed
from rl_lab.core.findings import Finding
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.machine.doctor import gpu_finding
from rl_lab.settings import Settings

if TYPE_CHECKING:
    import psutil  # type: ignore[import-untyped]

router = APIRouter(prefix="/api", tags=["lab"])

GUARDIAN = "rl_lab.guardian"
FRESH_S = 1.0
PROBE_WAIT_S = 0.1


class Share(BaseModel):
    used_bytes: int
    total_bytes: int
    free_bytes: int


class Processor(BaseModel):
    percent: float
    """Of all cores together, since the last answer."""
    cores: int
    load_1m: float


class RunUsage(BaseModel):
    run_id: str
    processes: int
    cpu_s: float
    """Processor time so far."""
    memory_bytes: int


class System(BaseModel):
    cpu: Processor
    memory: Share
    disk: Share
    """Of the disk that holds the home folder."""
    gpu: Finding | None
    """null while the machine is still being probed."""
    runs: list[RunUsage]
    server_memory_bytes: int


class Setting(BaseModel):
    name: str
    value: str | int | float | bool | None
    default: str | int | float | bool | None
    description: str
    variable: str


@router.get("/doctor", operation_id="get_doctor")
async def get_doctor(lab: LabDep) -> list[Finding]:
    """What was looked at on this machine, how it stands, and what to do about it."""
    return await lab.findings()


@router.get("/system", operation_id="get_system")
async def get_system(lab: LabDep) -> System:
    """Processor, memory, disk and GPU now, and what each live run takes."""
    measured = await asyncio.to_thread(_measure, str(lab.settings.home_path))
    return System(gpu=await _gpu(lab), **measured)


@router.get("/settings", operation_id="get_settings")
async def get_settings(lab: LabDep) -> list[Setting]:
    """Every setting with its value; they are changed by environment variables, not here."""
    return [_setting(lab.settings, name) for name in Settings.model_fields]


async def _gpu(lab: Lab) -> Finding | None:
    """From the probe the lab makes once; until that has an answer, or when it failed, nothing is known."""
    try:
        async with asyncio.timeout(PROBE_WAIT_S):
            return gpu_finding(await lab.catalogue.devices())
    except (TimeoutError, WorkerFailed):
        return None


def _measure(home: str) -> dict[str, Any]:
    import psutil

    memory, disk = psutil.virtual_memory(), psutil.disk_usage(home)
    return {
        "cpu": Processor(percent=psutil.cpu_percent(), cores=os.cpu_count() or 1, load_1m=os.getloadavg()[0]),
        "memory": Share(used_bytes=memory.used, total_bytes=memory.total, free_bytes=memory.available),
        "disk": Share(used_bytes=disk.used, total_bytes=disk.total, free_bytes=disk.free),
        "runs": _run_usage.read(),
        "server_memory_bytes": psutil.Process().memory_info().rss,
    }


class _RunUsageCache:
    """Walking all processes costs milliseconds, so many viewers share one look a second."""

    def __init__(self) -> None:
        self._read_at = -FRESH_S
        self._found: list[RunUsage] = []

    def read(self) -> list[RunUsage]:
        if time.monotonic() - self._read_at >= FRESH_S:
            self._found, self._read_at = _live_runs(), time.monotonic()
        return self._found


_run_usage = _RunUsageCache()


def _live_runs() -> list[RunUsage]:
    import psutil

    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        if GUARDIAN in words and "/runs/" in words[-1]:
            found.append(_usage(words[-1].rsplit("/runs/", 1)[1].split("/")[0], process))
    return found


def _usage(run_id: str, guardian: psutil.Process) -> RunUsage:
    import psutil

    cpu_s, memory, count = 0.0, 0, 0
    for process in _tree(guardian):
        try:
            times = process.cpu_times()
            memory += process.memory_info().rss
        except psutil.Error:
            continue
        cpu_s += times.user + times.system
        count += 1
    return RunUsage(run_id=run_id, processes=count, cpu_s=round(cpu_s, 2), memory_bytes=memory)


def _tree(guardian: psutil.Process) -> list[psutil.Process]:
    import psutil

    try:
        return [guardian, *guardian.children(recursive=True)]
    except psutil.Error:
        return []


def _setting(settings: Settings, name: str) -> Setting:
    field = Settings.model_fields[name]
    value = getattr(settings, name)
    if name == "database_url" and value:
        value = "set"  # It may hold a password.
    return Setting(
        name=name,
        value=_plain(value),
        default=_plain(field.default),
        description=field.description or "",
        variable=f"RL_LAB_{name.upper()}",
    )


def _plain(value: Any) -> str | int | float | bool | None:
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
