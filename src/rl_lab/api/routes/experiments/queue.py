"""The queue: what runs, what waits and why; its order, its slots, and its pause."""

from __future__ import annotations

from fastapi import APIRouter

from rl_lab.api.deps import QueueDep
from rl_lab.core.queue.state import PauseChange, PriorityChange, QueueMove, QueueState, SlotsChange

router = APIRouter(prefix="/api/queue", tags=["queue"])


@router.get("", operation_id="get_queue")
async def get_queue(queue: QueueDep) -> QueueState:
    """What runs and what waits, with its place and the reason. Trainings and jobs have slots of their own."""
    return await queue.state()


@router.put("/slots", operation_id="put_slots")
async def put_slots(change: SlotsChange, queue: QueueDep) -> QueueState:
    """Changes how many trainings and jobs run at the same time; kept across restarts. Nothing that runs is stopped."""
    return await queue.change_slots(change)


@router.put("/pause", operation_id="put_queue_pause")
async def put_queue_pause(change: PauseChange, queue: QueueDep) -> QueueState:
    """Pauses or resumes the queue: while it is paused no run starts. Kept across restarts; nothing is stopped."""
    return await queue.change_pause(change.paused)


@router.post("/moves", operation_id="move_in_queue")
async def move_in_queue(move: QueueMove, queue: QueueDep) -> QueueState:
    """Moves a waiting run, or all waiting runs of a study, to another place; `to: 1` starts next."""
    return await queue.move(move)


@router.put("/priority", operation_id="put_queue_priority")
async def put_queue_priority(change: PriorityChange, queue: QueueDep) -> QueueState:
    """Changes the priority of a waiting run, or of all waiting runs of a study; higher ones start first."""
    return await queue.change_priority(change)
