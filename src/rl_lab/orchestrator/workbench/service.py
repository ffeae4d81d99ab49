"""The workbench opens its parts; each is in a file of its own."""

from __future__ import annotations

from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.orchestrator.workbench.alerts import Alerts
from rl_lab.orchestrator.workbench.bench.service import RewardBench
from rl_lab.orchestrator.workbench.code_checks import CodeChecks
from rl_lab.orchestrator.workbench.codes import Codes
from rl_lab.orchestrator.workbench.derived_metrics import DerivedMetrics
from rl_lab.orchestrator.workbench.derived_values import DerivedValues
from rl_lab.orchestrator.workbench.evaluation_previews import EvaluationPreviews
from rl_lab.orchestrator.workbench.own_environments import OwnEnvironments
from rl_lab.orchestrator.workbench.protocols import Protocols


class Workbench:
    def __init__(self, context: Context, sources: Sources, queries: RunQueries) -> None:
        self.checks = CodeChecks(context, sources)
        self.codes = Codes(context, on_saved=self.checks.note_saved)
        self.bench = RewardBench(context, sources)
        self.own_environments = OwnEnvironments(context, self.codes)
        self.protocols = Protocols(context, sources.environments.catalogue)
        self.evaluation_previews = EvaluationPreviews(context, sources)
        self._derived_values = DerivedValues(context)
        self.derived_metrics = DerivedMetrics(context, queries, self._derived_values)
        self.alerts = Alerts(context, self.derived_metrics)

    async def open(self) -> None:
        await self.own_environments.open()
        self._derived_values.open()
        await self.alerts.open()

    async def close(self) -> None:
        await self.alerts.close()
        await self._derived_values.close()
        await self.bench.close()
