"""Stages: models that act live in an environment, one after the other, while somebody watches."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput, LabError
from rl_lab.orchestrator.jobs.live_policies import OtherEnvironment, find_actor, hand_over
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.looking import executes_others
from rl_lab.orchestrator.viewing.renderers import Renderer
from rl_lab.orchestrator.viewing.service import Viewing
from rl_lab.store.files.folder_trees import remove_tree


class Stage:
    """One environment, drawn live. What cannot act here is refused, and whoever acts goes on."""

    def __init__(
        self,
        renderer: Renderer,
        sources: Sources,
        env_id: str,
        env_kwargs: Mapping[str, Any],
        *,
        shelf: Path | None,
    ) -> None:
        """`shelf`: see `Stages`."""
        self.renderer = renderer
        self._sources = sources
        self._env_id, self._env_kwargs = env_id, dict(env_kwargs)
        self._shelf = shelf

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
        is_confined = self._shelf is not None
        policy = await find_actor(
            self._sources, training, checkpoint, self._env_id, self._env_kwargs, is_confined=is_confined
        )
        return policy if self._shelf is None else await hand_over(training, policy, self._shelf)


class Stages:
    """A stage whose environment may execute code of others is confined. It reads the checkpoints on its *shelf*, a
    folder of its own, and no run: which models will be deployed is not known when it is confined."""

    def __init__(self, sources: Sources, viewing: Viewing) -> None:
        self._sources = sources
        self._viewing = viewing
        self._environments = sources.environments
        self._shelves = sources.home / "cache" / "stages"

    async def open_shelves(self) -> None:
        """Removes those of a lab that was killed."""
        await asyncio.to_thread(remove_tree, self._shelves)

    @contextlib.asynccontextmanager
    async def open(self, env_id: str | None, run_id: str | None, seed: int) -> AsyncIterator[Stage]:
        """With this environment, or that of the run; a random agent acts until a model is deployed."""
        env, kwargs = await self._find_environment(env_id, run_id)
        async with (
            self._shelf(env.id, kwargs) as shelf,
            self._viewing.preview(
                env, seed, kwargs, mode="stage", reads=[str(shelf)] if shelf else []
            ) as renderer,
        ):
            yield Stage(renderer, self._sources, env.id, kwargs, shelf=shelf)

    @contextlib.asynccontextmanager
    async def _shelf(self, env_id: str, env_kwargs: Mapping[str, Any]) -> AsyncIterator[Path | None]:
        """None for a stage that is not confined: it reads checkpoints where they are."""
        if not executes_others(env_id, env_kwargs):
            yield None
            return
        shelf = self._shelves / secrets.token_hex(8)
        await asyncio.to_thread(shelf.mkdir, parents=True)
        try:
            yield shelf
        finally:
            await asyncio.to_thread(remove_tree, shelf)

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
