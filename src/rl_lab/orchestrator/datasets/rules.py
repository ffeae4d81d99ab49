"""How a job on datasets is checked and prepared."""

from __future__ import annotations

from rl_lab.core.datasets.operations import DatasetConfig, DatasetResult
from rl_lab.orchestrator.datasets.plans import make_plan, to_job
from rl_lab.orchestrator.jobs.rules import JobRules, PreparedJob
from rl_lab.orchestrator.jobs.sources import Sources


async def prepare(sources: Sources, config: DatasetConfig) -> PreparedJob:
    return to_job(config.operation, await make_plan(sources, config.operation))


def describe_result(result: DatasetResult) -> str:
    return result.message


RULES = JobRules(prepare, describe_result)
