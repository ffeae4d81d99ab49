"""Machine: the computer the lab runs on, what it has and lacks, what each run uses, and the lab's settings."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection
from typing import Any

from pydantic import BaseModel

from rl_lab.core.errors import WorkerFailed
from rl_lab.core.findings import Finding
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.orchestrator.execution.live_attempt import LiveAttempt
from rl_lab.orchestrator.housekeeping.lab_quota import LabQuota
from rl_lab.orchestrator.machine.doctor import examine, gpu_finding
from rl_lab.orchestrator.machine.run_processes import RunProcesses, RunUsage
from rl_lab.settings import Settings

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


class Machine:
    def __init__(
        self,
        context: Context,
        *,
        catalogue: Catalogue,
        quota: LabQuota,
        live: Callable[[], Collection[LiveAttempt]],
    ) -> None:
        self._settings = context.settings
        self._catalogue = catalogue
        self._quota = quota
        self._processes = RunProcesses(live)

    async def findings(self) -> list[Finding]:
        """What `rl-lab doctor` shows."""
        return [*await examine(self._settings, self._catalogue), self._quota.finding()]

    async def system(self) -> System:
        """Processor, memory, disk and GPU now, and what each live run uses."""
        return await asyncio.to_thread(self._measure, await self._gpu())

    def settings(self) -> list[Setting]:
        return [_setting(self._settings, name) for name in Settings.model_fields]

    async def _gpu(self) -> Finding | None:
        """From the probe the lab makes once; None until it has an answer, or when it failed."""
        try:
            async with asyncio.timeout(PROBE_WAIT_S):
                return gpu_finding(await self._catalogue.devices())
        except (TimeoutError, WorkerFailed):
            return None

    def _measure(self, gpu: Finding | None) -> System:
        import psutil  # type: ignore[import-untyped]

        memory, disk = psutil.virtual_memory(), psutil.disk_usage(str(self._settings.home_path))
        cores, load = os.cpu_count() or 1, os.getloadavg()[0]
        return System(
            cpu=Processor(percent=psutil.cpu_percent(), cores=cores, load_1m=load),
            memory=Share(used_bytes=memory.used, total_bytes=memory.total, free_bytes=memory.available),
            disk=Share(used_bytes=disk.used, total_bytes=disk.total, free_bytes=disk.free),
            gpu=gpu,
            runs=self._processes.read(),
            server_memory_bytes=psutil.Process().memory_info().rss,
        )


def _setting(settings: Settings, name: str) -> Setting:
    field = Settings.model_fields[name]
    value = getattr(settings, name)
    if name == "database_url" and value:
        value = "set"  # it may contain a password
    return Setting(
        name=name,
        value=_plain(value),
        default=_plain(field.default),
        description=field.description or "",
        variable=f"RL_LAB_{name.upper()}",
    )


def _plain(value: Any) -> str | int | float | bool | None:
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
