"""Models: the parts of the lab for trained policies, opened and closed together."""

from __future__ import annotations

from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.jobs.service import Jobs
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.models.checkpoint_list import CheckpointList
from rl_lab.orchestrator.models.imports import Imports
from rl_lab.orchestrator.models.inspections import Inspections
from rl_lab.orchestrator.models.named_models import NamedModels
from rl_lab.orchestrator.models.packages import Packages
from rl_lab.orchestrator.models.pulls import Pulls
from rl_lab.orchestrator.models.pushes import Pushes
from rl_lab.orchestrator.models.stages import Stages
from rl_lab.orchestrator.models.transfers import Transfers
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.orchestrator.viewing.service import Viewing


class Models:
    def __init__(
        self, context: Context, sources: Sources, jobs: Jobs, queries: RunQueries, viewing: Viewing
    ) -> None:
        self.checkpoints = CheckpointList(context)
        self.named = NamedModels(context, queries)
        self.inspections = Inspections(context, sources)
        self.packages = Packages(context, sources)
        self.transfers = Transfers(context.home)
        self.pushes = Pushes(context, jobs, self.packages, self.transfers)
        self.stages = Stages(sources, viewing)
        self.imports = Imports(context, sources.environments)
        self.pulls = Pulls(self.imports, self.transfers)

    async def open(self) -> None:
        """After the queue: its parts may start jobs."""
        await self.named.open()
        await self.transfers.open()
        await self.imports.open()
        await self.stages.open_shelves()

    async def close(self) -> None:
        """In reverse order."""
        await self.transfers.close()
        await self.imports.close()
        await self.inspections.close()
