"""Foreign: other people's programs, from the preview of a command to the Python that runs it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.foreign.commands import Commands
from rl_lab.orchestrator.foreign.consents import Consents
from rl_lab.orchestrator.foreign.process_variables import remove_scratch
from rl_lab.orchestrator.foreign.runner_states import Runners


class Foreign:
    def __init__(self, context: Context, on_installed: Callable[[], None]) -> None:
        """`on_installed` is called after packages were installed into the lab's own Python."""
        self._context = context
        self.commands = Commands(context)
        self.consents = Consents(context)
        self.runners = Runners(context, on_installed)

    async def open(self) -> None:
        await self.runners.open()

    async def close(self) -> None:
        await self.runners.close()

    def remove_scratch_soon(self, run_id: str) -> None:
        """Deletes the temporary files of a program that has ended, in the background."""
        folder = self._context.folders.find(run_id).path
        self._context.tasks.start(asyncio.to_thread(remove_scratch, folder))
