"""Statistics over many runs: comparisons and curves of a selection or a study, each computed once per state."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rl_lab.core.own_environments import returns_note
from rl_lab.core.protocol.metrics import NORMALISED_SCORE
from rl_lab.core.runs import Run, RunStatus
from rl_lab.core.studies.comparisons import (
    AggregateCurves,
    Comparison,
    ComparisonQuestion,
    CurveQuestion,
)
from rl_lab.core.studies.evaluation_scores import NO_SCORES, ChosenScores
from rl_lab.core.studies.seed_groups import group_configurations
from rl_lab.core.studies.studies import Study
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.experiments.plans import apply_settings
from rl_lab.orchestrator.newest import Newest
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.orchestrator.runs.seed_curves import seed_row
from rl_lab.store import run_curves, run_metrics, runs
from rl_lab.store.experiments import studies, variants
from rl_lab.store.experiments.study_outcomes import find_scores
from rl_lab.store.run_curves import MEAN_RETURN, SeedRow

if TYPE_CHECKING:
    from rl_lab.analysis.comparison import Seeds
    from rl_lab.analysis.curves import RunCurves
    from rl_lab.analysis.seed_notes import SeedRun
    from rl_lab.analysis.statistics.seed_curves import SeedCurve

MOST_RESULTS = 64
MOST_AGREEING = 100
"""Runs whose episodes are read to see whether seeds agree; more take too long."""
NOT_AGREED = f"Whether seeds agree is not looked at in comparisons of more than {MOST_AGREEING} runs."


@dataclass(frozen=True)
class GroupRows:
    """The runs of one configuration."""

    label: str
    rows: Sequence[SeedRow]
    variant: int | None = None
    planned: int = 0
    env_kwargs: Mapping[str, Any] = field(default_factory=dict)
    """Of its runs: wrappers are among them."""


class Aggregates:
    def __init__(self, context: Context, queries: RunQueries) -> None:
        self._db = context.db
        self._queries = queries
        self._comparisons: Newest[Comparison] = Newest(MOST_RESULTS)
        self._curves: Newest[AggregateCurves] = Newest(MOST_RESULTS)

    async def compare(self, run_ids: Sequence[str], question: ComparisonQuestion) -> Comparison:
        """The trainings among these runs, grouped by configuration."""
        return await self._compare(await self._select(run_ids), question, "final")

    async def compare_study(self, study_id: str, question: ComparisonQuestion) -> Comparison:
        """The variants of a study; its own measure is taken where none is named."""
        study = await self._db.read(lambda conn: studies.get(conn, study_id))
        plan = study.plan
        return await self._compare(await self._variants(study), question, plan.measure, plan.protocol)

    async def curves(self, run_ids: Sequence[str], question: CurveQuestion) -> AggregateCurves:
        """A metric over the seeds of each configuration among these runs."""
        return await self._aggregate(await self._select(run_ids), question)

    async def study_curves(self, study_id: str, question: CurveQuestion) -> AggregateCurves:
        """A metric over the seeds of each variant."""
        study = await self._db.read(lambda conn: studies.get(conn, study_id))
        return await self._aggregate(await self._variants(study), question)

    async def _select(self, run_ids: Sequence[str]) -> list[GroupRows]:
        from rl_lab.analysis.comparison import group_labels

        wanted = list(dict.fromkeys(run_ids))
        found = await self._db.read(lambda conn: runs.get_all(conn, wanted))
        members = group_configurations(found)
        return [
            GroupRows(
                label, [seed_row(run) for run in group], env_kwargs=getattr(group[0].config, "env_kwargs", {})
            )
            for label, group in zip(group_labels(members), members, strict=True)
        ]

    async def _variants(self, study: Study) -> list[GroupRows]:
        from rl_lab.analysis.comparison import numbered

        rows = await self._db.read(lambda conn: run_curves.list_seed_rows(conn, study.id))
        known = await self._db.read(lambda conn: variants.list_all(conn, study.id))
        by_variant: dict[int | None, list[SeedRow]] = {}
        for row in rows:
            by_variant.setdefault(row.variant, []).append(row)
        return [
            GroupRows(
                label,
                by_variant.get(one.number, []),
                one.number,
                len(one.seeds),
                apply_settings(study.plan.base, one.settings)["env_kwargs"],
            )
            for label, one in zip(numbered([one.label for one in known]), known, strict=True)
        ]

    async def _compare(
        self,
        groups: Sequence[GroupRows],
        question: ComparisonQuestion,
        measure: str,
        protocol: str | None = None,
    ) -> Comparison:
        """`measure` and `protocol`: those of the study, where the question names none."""
        from rl_lab.analysis.comparison import compare_groups

        ids = [row.run_id for group in groups for row in group.rows]
        scores = await self._db.read(lambda conn: find_scores(conn, ids, question.protocol, usual=protocol))
        key = (_state(groups), question, measure, repr(scores))
        found = self._comparisons.find(key)
        if found is None:
            full = await self._episodes(ids) if len(ids) <= MOST_AGREEING else {}
            seeds = await self._seeds(groups, MEAN_RETURN, scores, full)
            found = await asyncio.to_thread(compare_groups, seeds, question, measure, scores=scores)
            if len(ids) > MOST_AGREEING:
                found.notes.append(NOT_AGREED)
            await self._note_scores(found)
            self._comparisons.put(key, found)
        return found

    async def _note_scores(self, comparison: Comparison) -> None:
        """The normalised scores of runs that learned from a dataset, with the reference they are measured with."""
        from rl_lab.analysis.seed_notes import describe_scores

        ids = [run_id for group in comparison.groups for run_id in group.run_ids]
        scores = await self._db.read(lambda conn: run_metrics.find_values(conn, NORMALISED_SCORE, ids))
        scored = await self._db.read(lambda conn: runs.list_by_ids(conn, scores)) if scores else []
        references = {run.id: run.summary.score_reference or "" for run in scored}
        for group in comparison.groups:
            group.notes += describe_scores(
                [(scores[one], references.get(one, "")) for one in group.run_ids if one in scores]
            )

    async def _aggregate(self, groups: Sequence[GroupRows], question: CurveQuestion) -> AggregateCurves:
        from rl_lab.analysis.aggregate_curves import aggregate_curves

        definitions = await self._queries.definitions()
        key = (_state(groups), question, tuple(definitions.items()) if question.metric in definitions else ())
        found = self._curves.find(key)
        if found is None:
            seeds = await self._seeds(groups, question.metric, NO_SCORES, {})
            found = await asyncio.to_thread(aggregate_curves, seeds, question)
            self._curves.put(key, found)
        return found

    async def _episodes(self, run_ids: Sequence[str]) -> dict[str, RunCurves]:
        """Every episode of each run: whether seeds agree is tested on these."""
        found = await self._db.read(lambda conn: runs.list_by_ids(conn, run_ids))
        return {run.id: await self._queries.curves(run) for run in found}

    async def _seeds(
        self,
        groups: Sequence[GroupRows],
        metric: str,
        scores: ChosenScores,
        full: Mapping[str, RunCurves],
    ) -> list[Seeds]:
        from rl_lab.analysis.comparison import Seeds

        rows = [row for group in groups for row in group.rows]
        curves = await self._queries.seed_curves.find_all(rows, metric)
        thresholds = await self._thresholds(groups)
        return [
            Seeds(
                label=group.label,
                runs=[_seed_run(row, curves[row.run_id], scores, group.env_kwargs) for row in group.rows],
                threshold=thresholds.get(_env_id(group)),
                variant=group.variant,
                curves=[full[row.run_id] for row in group.rows if row.run_id in full],
                planned=group.planned,
            )
            for group in groups
        ]

    async def _thresholds(self, groups: Sequence[GroupRows]) -> dict[str | None, float | None]:
        """Where each environment counts as solved, asked for one run of each."""
        first = {_env_id(group): group.rows[0].run_id for group in groups if group.rows}
        found = await self._db.read(lambda conn: runs.list_by_ids(conn, list(first.values())))
        by_id: dict[str, Run] = {run.id: run for run in found}
        return {
            env_id: await self._queries.reward_threshold(by_id[run_id])
            for env_id, run_id in first.items()
            if run_id in by_id
        }


def _env_id(group: GroupRows) -> str | None:
    return group.rows[0].env_id if group.rows else None


def _seed_run(row: SeedRow, curve: SeedCurve, scores: ChosenScores, env_kwargs: Mapping[str, Any]) -> SeedRun:
    from rl_lab.analysis.seed_notes import SeedRun

    return SeedRun(
        run_id=row.run_id,
        seed=row.seed,
        status=RunStatus(row.status),
        final=row.final,
        best=row.best,
        evaluation=scores.returns.get(row.run_id),
        numbers=scores.numbers_of(row.run_id),
        curve=curve,
        returns_note=returns_note(row.env_id or "", env_kwargs),
    )


def _state(groups: Sequence[GroupRows]) -> Hashable:
    """Changes with every change of a run that a result could depend on."""
    return tuple(
        (
            group.label,
            group.variant,
            group.planned,
            *((row.run_id, row.version, row.timestep) for row in group.rows),
        )
        for group in groups
    )
