"""Keys and high scores of an environment."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from rl_lab.api.deps import ClientDep, PlaysDep
from rl_lab.core.plays.controls import PlayControls
from rl_lab.core.plays.players import Player
from rl_lab.core.plays.scores import HighScores

router = APIRouter(prefix="/api/environments", tags=["plays"])


@router.get("/{env_id:path}/controls", operation_id="get_controls")
async def get_controls(env_id: str, plays: PlaysDep, client: ClientDep) -> PlayControls:
    """What keys, mouse and gamepad do: chosen by the user, named by the environment, the lab's own, or guessed."""
    return await client.waits_for(plays.keys.get(env_id))


@router.put("/{env_id:path}/controls", operation_id="put_controls")
async def put_controls(env_id: str, controls: PlayControls, plays: PlaysDep) -> PlayControls:
    """Chooses other keys; kept for this environment. Plays that are open keep theirs."""
    return await plays.keys.put(env_id, controls)


@router.delete("/{env_id:path}/controls", operation_id="delete_controls")
async def delete_controls(env_id: str, plays: PlaysDep, client: ClientDep) -> PlayControls:
    """Forgets the user's keys; returns those that count from now on."""
    return await client.waits_for(plays.keys.reset(env_id))


@router.get("/{env_id:path}/scores", operation_id="list_high_scores")
async def list_high_scores(
    env_id: str,
    plays: PlaysDep,
    limit: Annotated[int, Query(ge=1, le=100, description="How many of each kind of player at most.")] = 20,
    player: Annotated[
        Player | None,
        Query(description="Only this kind of player; people, hybrids and policies when absent."),
    ] = None,
) -> HighScores:
    """The best episodes by people, by people and policies in turn, and by policies, each ranked on their own.

    Each play and each training counts once; of equal returns the earlier one is first.
    """
    return await plays.scores(env_id, limit, player)
