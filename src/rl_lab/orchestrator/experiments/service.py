"""Experiments: the rooms for questions about many runs, opened and closed together."""

from __future__ import annotations

from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.queue import Queue
from rl_lab.orchestrator.experiments.aggregates import Aggregates
from rl_lab.orchestrator.experiments.comparison_reports import ComparisonReports
from rl_lab.orchestrator.experiments.packs import Packs
from rl_lab.orchestrator.experiments.pruner import Pruner
from rl_lab.orchestrator.experiments.studies import Studies
from rl_lab.orchestrator.experiments.sweep_views import SweepViews
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.orchestrator.runs.service import Runs


class Experiments:
    def __init__(self, context: Context, runs: Runs, queries: RunQueries, queue: Queue) -> None:
        self.studies = Studies(context, runs, queue)
        self.pruner = Pruner(context, stop_runs=self.studies.stop_runs, look_at=self.studies.planner.look_at)
        self.sweep_views = SweepViews(context)
        self.aggregates = Aggregates(context, queries)
        self.reports = ComparisonReports(context, queries, self.aggregates)
        self.packs = Packs(context, queries, self.reports)

    async def open(self) -> None:
        """After the queue: studies that an earlier lab began continue."""
        await self.packs.open()
        await self.studies.open()
        await self.pruner.open()

    async def close(self) -> None:
        await self.pruner.close()
        await self.studies.close()
        await self.packs.close()
