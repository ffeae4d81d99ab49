"""What a sweep shows: importance of its parameters, slices and surfaces, calculated on a thread."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from rl_lab.core.errors import InvalidInput
from rl_lab.core.runs import RunStatus
from rl_lab.core.studies.comparisons import MEASURES, is_of_evaluations
from rl_lab.core.studies.studies import Study, Variant, VariantStatus
from rl_lab.core.studies.sweep_views import Importance, Slices, Surface
from rl_lab.core.studies.sweeps import Choices, Sweep
from rl_lab.orchestrator.context import Context
from rl_lab.store.experiments import studies, study_outcomes, variants

if TYPE_CHECKING:
    from rl_lab.analysis.sweeps.axes import ParameterAxis


class SweepViews:
    def __init__(self, context: Context) -> None:
        self._db = context.db

    async def importance(self, study_id: str) -> Importance:
        study, found, _ = await self._db.read(lambda conn: _read(conn, study_id))

        def work() -> Importance:
            from rl_lab.analysis.sweeps.importance import find_importance

            return find_importance(_axes(study, found), found, measure=_measure(study))

        return await asyncio.to_thread(work)

    async def slices(self, study_id: str) -> Slices:
        study, found, seeds = await self._db.read(lambda conn: _read(conn, study_id))

        def work() -> Slices:
            from rl_lab.analysis.sweeps.charts import find_slices

            return find_slices(_axes(study, found), found, seeds, measure=_measure(study))

        return await asyncio.to_thread(work)

    async def surface(self, study_id: str, x: str | None, y: str | None) -> Surface:
        """Over two of its parameters; the first two when none is named."""
        study, found, seeds = await self._db.read(lambda conn: _read(conn, study_id))

        def work() -> Surface:
            from rl_lab.analysis.sweeps.charts import find_surface

            axes = _choose(_axes(study, found), x, y)
            return find_surface(axes, found, seeds, measure=_measure(study))

        return await asyncio.to_thread(work)


def _read(conn: Connection, study_id: str) -> tuple[Study, list[Variant], dict[int, list[float]]]:
    """The study, its variants, and the measure of each seed of a variant."""
    study = studies.get(conn, study_id)
    found = variants.list_all(conn, study_id)
    pruned = {variant.number for variant in found if variant.status is VariantStatus.pruned}
    seeds: dict[int, list[float]] = {}
    for outcome in study_outcomes.list_outcomes(conn, study_id, study.plan):
        counts = outcome.status is RunStatus.succeeded or outcome.variant in pruned
        if counts and outcome.value is not None:
            seeds.setdefault(outcome.variant, []).append(outcome.value)
    return study, found, seeds


def _measure(study: Study) -> str:
    plan = study.plan
    title = MEASURES.get(plan.measure, plan.measure)
    return (
        f"{title} (protocol {plan.protocol})" if plan.protocol and is_of_evaluations(plan.measure) else title
    )


def _axes(study: Study, found: Sequence[Variant]) -> list[ParameterAxis]:
    """Of the sweep; without one, the settings in which the variants differ."""
    from rl_lab.analysis.sweeps.axes import axes_of

    return axes_of(study.plan.sweep or _sweep_of(found))


def _sweep_of(found: Sequence[Variant]) -> Sweep:
    names = [name for name in (found[0].settings if found else ()) if all(name in v.settings for v in found)]
    values = {name: [variant.settings[name] for variant in found] for name in names}
    return Sweep(parameters={name: Choices(values=given[:1000]) for name, given in values.items()})


def _choose(
    axes: Sequence[ParameterAxis], x: str | None, y: str | None
) -> tuple[ParameterAxis, ParameterAxis]:
    if len(axes) < 2:
        only = f"only {axes[0].title.lower()}" if axes else "no parameter"
        raise InvalidInput.of_field("x", f"A surface needs two parameters; this study varies {only}.")
    by_name = {axis.name: axis for axis in axes}
    for field, name in (("x", x), ("y", y)):
        if name is not None and name not in by_name:
            message = f"This study does not vary “{name}”; it varies {', '.join(by_name)}."
            raise InvalidInput.of_field(field, message, list(by_name))
    first = x or next(name for name in by_name if name != y)
    second = y or next(name for name in by_name if name != first)
    if first == second:
        raise InvalidInput.of_field("y", "Choose two different parameters.", list(by_name))
    return by_name[first], by_name[second]
