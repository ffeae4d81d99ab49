"""The runners as they stand on this machine: what each offers and lacks, its folder, the Python being made for it."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from rl_lab.core.runners import Requirement, RunnerSpec
from rl_lab.orchestrator.foreign.checkouts import Checkouts
from rl_lab.orchestrator.foreign.own_pythons import OwnPythons, Preparation
from rl_lab.orchestrator.foreign.requirements import missing_requirements
from rl_lab.orchestrator.writing import Writing
from rl_lab.runners.registry import all_specs, find_spec
from rl_lab.settings import Settings


class RunnerState(NamedTuple):
    spec: RunnerSpec
    problems: list[Requirement]
    """Requirements that are not met; none = ready."""
    preparing: Preparation | None


class Runners:
    def __init__(self, settings: Settings, writing: Writing) -> None:
        self._roots = Checkouts(settings, writing)
        self._interpreters = OwnPythons(settings.home_path)

    async def open(self) -> None:
        await self._roots.open()
        await self._interpreters.open()
        # Reading a checkout for the first time takes a tenth of a second: better now than when somebody asks.
        self._first_look = asyncio.create_task(asyncio.to_thread(all_specs))

    async def close(self) -> None:
        await asyncio.gather(self._first_look, return_exceptions=True)
        await self._interpreters.close()
        self._roots.close()

    async def list(self) -> list[RunnerState]:
        return await asyncio.to_thread(lambda: [self._state(spec) for spec in all_specs()])

    async def put_root(self, runner_id: str, path: str) -> RunnerState:
        """The runner's scripts are taken from this folder; InvalidInput when there are none."""
        await self._roots.put(runner_id, path)
        return await self._find(runner_id)

    async def prepare(self, runner_id: str) -> RunnerState:
        """Begins to make the runner's own Python; how it goes is told by `list`."""
        self._interpreters.prepare(await asyncio.to_thread(find_spec, runner_id))
        return await self._find(runner_id)

    async def _find(self, runner_id: str) -> RunnerState:
        return await asyncio.to_thread(lambda: self._state(find_spec(runner_id)))

    def _state(self, spec: RunnerSpec) -> RunnerState:
        return RunnerState(spec, missing_requirements(spec), self._interpreters.find(spec.id))
