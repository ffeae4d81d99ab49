"""An environment before anyone trains: a random agent, the smoke test, whether it repeats itself."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response, WebSocket

from rl_lab.api.deps import ClientDep, EnvironmentsDep, ViewingDep
from rl_lab.api.streams.sockets import frame_socket, show_until_gone
from rl_lab.core.bounds import MAX_SEED

router = APIRouter(prefix="/api/environments", tags=["environments"])

KEPT_S = 30 * 86_400
"""A browser keeps a thumbnail for a month."""
COMMANDS = frozenset({"play", "pause", "step", "reset"})


@router.get("/{env_id:path}/exactness", operation_id="get_exactness")
async def get_exactness(env_id: str, environments: EnvironmentsDep, client: ClientDep) -> dict[str, Any]:
    """Whether seed and actions bring back every observation and pixel; checked once per version."""
    return await client.waits_for(environments.check_repeatability(env_id))


@router.post("/{env_id:path}/smoke-test", operation_id="run_smoke_test")
async def run_smoke_test(env_id: str, environments: EnvironmentsDep, client: ClientDep) -> dict[str, Any]:
    """Gymnasium's checker, NaN, repeatability, speed and drawing, each with what was seen; takes seconds."""
    return await client.waits_for(environments.smoke_test(env_id))


@router.get(
    "/{env_id:path}/thumbnail",
    operation_id="get_thumbnail",
    response_class=Response,
    responses={200: {"content": {"image/jpeg": {}}}},
)
async def get_thumbnail(env_id: str, environments: EnvironmentsDep, client: ClientDep) -> Response:
    """A still of at most 240 px: a file of the lab, or drawn once per version of the environment."""
    jpeg = await client.waits_for(environments.thumbnail(env_id))
    return Response(jpeg, media_type="image/jpeg", headers={"Cache-Control": f"private, max-age={KEPT_S}"})


@router.websocket("/{env_id:path}/preview")
async def preview(
    socket: WebSocket,
    env_id: str,
    environments: EnvironmentsDep,
    viewing: ViewingDep,
    seed: Annotated[int, Query(ge=0, le=MAX_SEED)] = 0,
) -> None:
    """A random agent. Commands: {"op":"play"}, pause, step, reset."""
    renderers: list[Any] = []

    async def on_command(command: dict[str, Any]) -> None:
        if command.get("op") in COMMANDS and renderers:
            await renderers[0].send({"op": command["op"]})

    async with (
        frame_socket(socket, on_command) as viewer,
        viewing.preview(await environments.get(env_id), seed) as renderer,
    ):
        renderers.append(renderer)
        await show_until_gone(viewer, renderer)
