"""Reports of many runs: a selection or a study, with verdicts, in one document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rl_lab.core.errors import InvalidInput
from rl_lab.core.studies.comparisons import ComparisonQuestion
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.experiments.aggregates import Aggregates
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.orchestrator.runs.run_analysis import Asked, ComparisonFormat
from rl_lab.store.experiments import studies, study_labels

MOST_REPORTED = 1000
"""Runs of one report: each has a row and a command in it."""


class WrittenReport(NamedTuple):
    text: str
    subject: str
    """What it is about, for the name of its file."""


class ComparisonReports:
    def __init__(self, context: Context, queries: RunQueries, aggregates: Aggregates) -> None:
        self._db = context.db
        self._queries = queries
        self._aggregates = aggregates

    async def of_runs(
        self,
        run_ids: Sequence[str],
        form: ComparisonFormat,
        question: ComparisonQuestion,
        *,
        is_grouped: bool,
    ) -> str:
        """The trainings among these runs, grouped by configuration."""
        comparison = await self._aggregates.compare(run_ids, question)
        return await self._queries.comparison_report(
            run_ids, form, Asked(comparison=comparison, is_grouped=is_grouped)
        )

    async def of_study(
        self, study_id: str, form: ComparisonFormat, question: ComparisonQuestion
    ) -> WrittenReport:
        """The variants of a study over their seeds."""
        study = await self._db.read(lambda conn: studies.get(conn, study_id))
        run_ids = await self._db.read(lambda conn: study_labels.run_ids_of(conn, study_id))
        if not 0 < len(run_ids) <= MOST_REPORTED:
            raise InvalidInput(
                f"The study has {len(run_ids):,} runs; a report is about 1 to {MOST_REPORTED:,}.",
                next_step="Export the study as csv or parquet, or compare some of its runs.",
            )
        comparison = await self._aggregates.compare_study(study_id, question)
        with_runs = [group for group in comparison.groups if group.run_ids]
        asked = Asked(
            comparison=comparison.model_copy(update={"groups": with_runs}),
            title=study.name,
            question=study.plan.question,
        )
        return WrittenReport(await self._queries.comparison_report(run_ids, form, asked), study.name)
