"""Stages: models that act live in an environment, one after the other, while somebody watches."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput, LabError
from rl_lab.orchestrator.jobs.live_policies import OtherEnvironment, find_actor
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.viewing.renderers import Renderer
from rl_lab.orchestrator.viewing.service import Viewing


class Stage:
    """One environment, drawn live. What cannot act here is refused, and whoever acts goes on."""

    def __init__(
        self, renderer: Renderer, sources: Sources, env_id: str, env_kwargs: Mapping[str, Any]
    ) -> None:
        self.renderer = renderer
        self._sources = sources
        self._env_id, self._env_kwargs = env_id, dict(env_kwargs)

    async def send(self, op: str, **values: Any) -> None:
        await self.renderer.send({"op": op, **values})

    async def deploy(self, run_id: str | None, checkpoint: str | None = None) -> None:
        """This checkpoint acts from now on, or the run's best one; without a run, chance."""
        try:
            policy = await self._find_policy(run_id, checkpoint) if run_id is not None else None
            await self.send("policy", policy=policy)
        except OtherEnvironment as refused:
            problem = {"message": refused.detail, "next_step": refused.next_step or "", **refused.where}
            await self.send("refuse", problem={**problem, "run_id": run_id, "checkpoint": checkpoint})
        except LabError as refused:
            problem = {"message": refused.detail, "next_step": refused.next_step or ""}
            await self.send("refuse", problem=problem)

    async def _find_policy(self, run_id: str, checkpoint: str | None) -> dict[str, Any]:
        training = await self._sources.get_training(run_id)
        return await find_actor(self._sources, training, checkpoint, self._env_id, self._env_kwargs)


class Stages:
    def __init__(self, sources: Sources, viewing: Viewing) -> None:
        self._sources = sources
        self._viewing = viewing
        self._environments = sources.environments

    @contextlib.asynccontextmanager
    async def open(self, env_id: str | None, run_id: str | None, seed: int) -> AsyncIterator[Stage]:
        """With this environment, or that of the run; a random agent acts until a model is deployed."""
        env, kwargs = await self._find_environment(env_id, run_id)
        async with self._viewing.preview(env, seed, kwargs, mode="stage") as renderer:
            yield Stage(renderer, self._sources, env.id, kwargs)

    async def _find_environment(
        self, env_id: str | None, run_id: str | None
    ) -> tuple[Environment, dict[str, Any]]:
        if run_id is not None:
            config = (await self._sources.get_training(run_id)).config
            if env_id in (None, config.env_id):
                return await self._environments.get(config.env_id), dict(config.env_kwargs)
        if env_id is None:
            raise InvalidInput.of_field("env_id", "Name an environment, or a run that was trained in one.")
        return await self._environments.get(env_id), {}
