"""What a job on datasets would need, before anything starts."""

from __future__ import annotations

from rl_lab.core.datasets.datasets import DatasetForecast
from rl_lab.core.datasets.operations import DatasetOperation, ImportDataset
from rl_lab.core.errors import LabError
from rl_lab.orchestrator.datasets.plans import Plan, make_plan
from rl_lab.orchestrator.datasets.room import free_bytes
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.store.sql import meta

SPEED = "dataset-speed:"
"""Steps per second that the last job of this kind in this environment made."""
COPIED_PER_S = 200_000_000
"""Bytes that are read, checked and written in a second."""


async def forecast(sources: Sources, operation: DatasetOperation) -> DatasetForecast:
    free = free_bytes(sources.home)
    try:
        plan = await make_plan(sources, operation)
    except LabError as error:
        return DatasetForecast(free_bytes=free, problem=error.detail, remedy=error.next_step)
    return DatasetForecast(
        episodes=plan.episodes,
        transitions=plan.transitions,
        bytes=plan.bytes,
        seconds=await _seconds(sources, operation, plan),
        free_bytes=free,
        notes=list(plan.notes),
        returns=plan.returns,
    )


def speed_key(do: str, env_id: str) -> str:
    return f"{SPEED}{do}:{env_id}"


async def _seconds(sources: Sources, operation: DatasetOperation, plan: Plan) -> float | None:
    if operation.do in ("make", "collect", "verify"):
        key = speed_key(operation.do, plan.env_id)
        speed = await sources.context.db.read(lambda conn: meta.find(conn, key))
        return plan.transitions / speed if speed and plan.transitions is not None else None
    if isinstance(operation, ImportDataset) and operation.minari is not None:
        return None  # nobody knows how fast the server sends
    return plan.bytes / COPIED_PER_S if plan.bytes else None
