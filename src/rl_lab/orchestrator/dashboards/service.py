"""Dashboards: TensorBoard and W&B for the runs of the lab."""

from __future__ import annotations

from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.dashboards.event_exports import EventExports
from rl_lab.orchestrator.dashboards.tensorboards import Tensorboards
from rl_lab.orchestrator.dashboards.wandb_links import WandbLinks


class Dashboards:
    def __init__(self, context: Context) -> None:
        self.event_exports = EventExports(context)
        self.tensorboards = Tensorboards(context, self.event_exports)
        self.wandb_links = WandbLinks(context)

    async def open(self) -> None:
        """TensorBoard processes are started when somebody opens one."""

    async def close(self) -> None:
        await self.tensorboards.close()
