"""The runners on this machine: what each offers and lacks, its folder, what is being installed for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from rl_lab.core.runners import Requirement, RunnerSpec
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.foreign.checkouts import Checkouts
from rl_lab.orchestrator.foreign.installations import Installations, Preparation
from rl_lab.orchestrator.foreign.lab_python import LabPython
from rl_lab.orchestrator.foreign.own_pythons import OwnPythons
from rl_lab.orchestrator.foreign.requirements import missing_requirements
from rl_lab.runners.registry import all_specs, find_spec


class RunnerState(NamedTuple):
    spec: RunnerSpec
    problems: list[Requirement]
    """Requirements that are not met; none = ready."""
    preparing: Preparation | None


class Runners:
    def __init__(self, context: Context, on_installed: Callable[[], None]) -> None:
        """`on_installed` is called after packages were installed into the lab's own Python."""
        self._checkouts = Checkouts(context)
        self._installations = Installations()
        self._own_pythons = OwnPythons(context.home, self._installations)
        self._lab_python = LabPython(self._installations, on_installed)

    async def open(self) -> None:
        await self._checkouts.open()
        await self._own_pythons.open()
        # Reading a checkout for the first time takes a tenth of a second: done now, before the first request.
        self._first_look = asyncio.create_task(asyncio.to_thread(all_specs))

    async def close(self) -> None:
        await asyncio.gather(self._first_look, return_exceptions=True)
        await self._installations.close()
        self._checkouts.close()

    async def list(self) -> list[RunnerState]:
        return await asyncio.to_thread(lambda: [self._state(spec) for spec in all_specs()])

    async def put_root(self, runner_id: str, path: str) -> RunnerState:
        """Takes the runner's scripts from this folder; InvalidInput when there are none."""
        await self._checkouts.put(runner_id, path)
        return await self._find(runner_id)

    async def prepare(self, runner_id: str) -> RunnerState:
        """Starts to make the runner's own Python; `list` reports the progress."""
        self._own_pythons.prepare(await asyncio.to_thread(find_spec, runner_id))
        return await self._find(runner_id)

    async def install(self, runner_id: str) -> RunnerState:
        """Starts to install what the runner needs into the lab's own Python; `list` reports the progress."""
        self._lab_python.install(await asyncio.to_thread(find_spec, runner_id))
        return await self._find(runner_id)

    async def _find(self, runner_id: str) -> RunnerState:
        return await asyncio.to_thread(lambda: self._state(find_spec(runner_id)))

    def _state(self, spec: RunnerSpec) -> RunnerState:
        return RunnerState(spec, missing_requirements(spec), self._installations.find(spec.id))
