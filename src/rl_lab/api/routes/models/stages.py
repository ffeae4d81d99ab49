"""The stage: a model acts live in an environment, and is exchanged for another while it plays."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query, WebSocket

from rl_lab.api.deps import ModelsDep
from rl_lab.api.streams.sockets import frame_socket, show_until_gone
from rl_lab.core.bounds import MAX_SEED
from rl_lab.orchestrator.models.stages import Stage

router = APIRouter(prefix="/api", tags=["models"])

PLAIN = frozenset({"play", "pause", "step", "reset"})


@router.websocket("/stage")
async def stage(
    *,
    socket: WebSocket,
    models: ModelsDep,
    env_id: Annotated[str | None, Query(max_length=200)] = None,
    run_id: Annotated[str | None, Query(max_length=64)] = None,
    checkpoint: Annotated[str | None, Query(max_length=64)] = None,
    seed: Annotated[int, Query(ge=0, le=MAX_SEED)] = 0,
) -> None:
    """A model of `run_id` acts in `env_id` (its own when absent); without one, a random agent.

    Commands: {"op":"deploy","run_id":…,"checkpoint":…} exchanges the model (without a run: random actions),
    {"op":"play"}, pause, step, reset, {"op":"speed","speed":0.5}, {"op":"sample","sample":true}. A header says who
    acts (`agent`), what is being loaded, and why the last one was refused (`problem`).
    """
    opening: asyncio.Future[Stage] = asyncio.get_running_loop().create_future()

    async def on_command(command: dict[str, Any]) -> None:
        await _obey(await opening, command)

    async with (
        frame_socket(socket, on_command) as viewer,
        models.stages.open(env_id, run_id, seed) as opened,
    ):
        if run_id is not None:
            await opened.deploy(run_id, checkpoint)
        opening.set_result(opened)
        await show_until_gone(viewer, opened.renderer)


async def _obey(stage: Stage, command: dict[str, Any]) -> None:
    match command:
        case {"op": str(op)} if op in PLAIN:
            await stage.send(op)
        case {"op": "speed", "speed": int() | float() as speed}:
            await stage.send("speed", speed=float(speed))
        case {"op": "sample", "sample": bool(sample)}:
            await stage.send("sample", sample=sample)
        case {"op": "deploy", "run_id": str(run_id)}:
            checkpoint = command.get("checkpoint")
            await stage.deploy(run_id, checkpoint if isinstance(checkpoint, str) else None)
        case {"op": "deploy"}:
            await stage.deploy(None)
