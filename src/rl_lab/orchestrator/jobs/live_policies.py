"""A policy that acts live, on a stage or in a play: loaded in an unconfined process, of the same environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.orchestrator.jobs.sources import Sources, Training


async def find_actor(
    sources: Sources, training: Training, checkpoint: str | None, env_id: str, env_kwargs: Mapping[str, Any]
) -> dict[str, Any]:
    """A `PolicyInput`; a LabError that says why the policy cannot act here."""
    if not await sources.may_act_unconfined(training.run_id):
        raise NotReady(
            f"“{training.name}” comes from elsewhere and is loaded in a confined process only, which this is not.",
            next_step="Evaluate or film it: both are confined.",
        )
    policy = await sources.find_policy(training, checkpoint)
    _require_same_environment(training, env_id, env_kwargs)
    return {**policy, "label": f"{training.name}, step {policy['timestep'] or 0:,}"}


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
