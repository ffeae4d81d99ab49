"""A policy that acts live, on a stage or in a play of the same environment."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.own_environments import executes_own_code
from rl_lab.orchestrator.jobs.checkpoint_links import link_policy
from rl_lab.orchestrator.jobs.sources import Sources, Training


async def find_actor(
    sources: Sources,
    training: Training,
    checkpoint: str | None,
    env_id: str,
    env_kwargs: Mapping[str, Any],
    *,
    is_confined: bool = False,
) -> dict[str, Any]:
    """A `PolicyInput`; a LabError that says why the policy cannot act here.

    `is_confined`: the process that loads it is confined.
    """
    if not await sources.may_act_unconfined(training.run_id):
        await _require_confinement(sources, training, is_confined=is_confined)
    policy = await sources.find_policy(training, checkpoint)
    _require_same_environment(training, env_id, env_kwargs)
    return {**policy, "label": f"{training.name}, step {policy['timestep'] or 0:,}"}


async def hand_over(training: Training, policy: dict[str, Any], place: Path) -> dict[str, Any]:
    """The policy with a checkpoint in `place`, for a confined process that runs already and reads no run of others."""
    if policy["program"] is not None:
        raise NotReady(
            f"“{training.name}” acts in a Python of its own, which a process that plays already cannot start.",
            next_step="Start a play with it.",
        )
    return await asyncio.to_thread(link_policy, place, policy)


async def _require_confinement(sources: Sources, training: Training, *, is_confined: bool) -> None:
    config = training.config
    is_own = executes_own_code(config.env_id, config.env_kwargs)
    why = "was trained in an environment of your own" if is_own else "comes from elsewhere"
    if not is_confined:
        raise NotReady(
            f"“{training.name}” {why} and is loaded in a confined process only, which this is not.",
            next_step="Evaluate or film it: both are confined.",
        )
    rights = await sources.looking.find_rights(training.run_id)
    if rights is not None and not rights.landlock:
        raise NotReady(
            f"“{training.name}” {why} and is loaded in a confined process only; this machine cannot confine one.",
            next_step="Use Linux 5.13 or newer with Landlock; `rl-lab doctor` shows what this machine can confine.",
        )


class OtherEnvironment(InvalidInput):
    """The policy was trained in another environment, whose id is `where`."""

    def __init__(self, message: str, env_id: str) -> None:
        super().__init__(message, next_step="Switch the environment.")
        self.where = {"env_id": env_id}


def _require_same_environment(training: Training, env_id: str, env_kwargs: Mapping[str, Any]) -> None:
    config = training.config
    if (config.env_id, config.env_kwargs) == (env_id, dict(env_kwargs)):
        return
    where = f"with other settings than {env_id} here"
    if config.env_id != env_id:
        where = f"in {config.env_id}; this is {env_id}"
    raise OtherEnvironment(f"“{training.name}” was trained {where}.", config.env_id)
