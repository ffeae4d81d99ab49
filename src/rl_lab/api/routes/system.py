"""The machine the lab runs on: what it has, what it lacks, what each run takes of it."""

from __future__ import annotations

from fastapi import APIRouter

from rl_lab.api.deps import MachineDep
from rl_lab.core.findings import Finding
from rl_lab.orchestrator.machine.service import Setting, System

router = APIRouter(prefix="/api", tags=["lab"])


@router.get("/doctor", operation_id="get_doctor")
async def get_doctor(machine: MachineDep) -> list[Finding]:
    """What was looked at on this machine, how it stands, and what to do about it."""
    return await machine.findings()


@router.get("/system", operation_id="get_system")
async def get_system(machine: MachineDep) -> System:
    """Processor, memory, disk and GPU now, and what each live run takes."""
    return await machine.system()


@router.get("/settings", operation_id="get_settings")
async def get_settings(machine: MachineDep) -> list[Setting]:
    """Every setting with its value; they are changed by environment variables, not here."""
    return machine.settings()
