"""Derived metrics: saved, changed, previewed. Their last values in ended runs are kept by `derived_values.py`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection

from rl_lab.core.errors import AlreadyExists, InvalidInput, MoveRefused, NotFound, WrongExpression
from rl_lab.core.protocol.metrics import METRICS
from rl_lab.core.workbench.derived_metrics import (
    MAX_DERIVED,
    Definitions,
    DerivedMetric,
    DerivedMetricPatch,
    NewDerivedMetric,
    computing_order,
)
from rl_lab.core.workbench.expression_terms import names_in
from rl_lab.core.workbench.expressions import parse_expression, require_known, require_no_typo
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.orchestrator.workbench.derived_values import DerivedValues
from rl_lab.store import runs
from rl_lab.store.telemetry import TelemetryReader
from rl_lab.store.workbench import alerts, derived_metrics

if TYPE_CHECKING:
    from rl_lab.store.telemetry.series import StoredSeries

PREVIEW = "preview"
"""The name of a series that is not saved."""


class DerivedMetrics:
    def __init__(self, context: Context, queries: RunQueries, values: DerivedValues) -> None:
        self._db = context.db
        self._queries = queries
        self._values = values

    async def list_all(self) -> list[DerivedMetric]:
        return await self._db.read(derived_metrics.list_all)

    async def get(self, name: str) -> DerivedMetric:
        return await self._db.read(lambda conn: derived_metrics.get(conn, name))

    async def save(self, new: NewDerivedMetric) -> DerivedMetric:
        recorded = await self.known_metrics()

        def work(conn: Connection) -> DerivedMetric:
            _require_free(conn, new.name)
            _require_sound(conn, new.name, new.expression, recorded)
            derived_metrics.put(conn, new)
            return derived_metrics.get(conn, new.name)

        saved = await self._db.write(work)
        self._values.refresh()
        return saved

    async def change(self, name: str, patch: DerivedMetricPatch) -> DerivedMetric:
        recorded = await self.known_metrics()

        def work(conn: Connection) -> DerivedMetric:
            before = derived_metrics.get(conn, name)
            if patch.expression is not None and patch.expression != before.expression:
                _require_sound(conn, name, patch.expression, recorded)
                derived_metrics.drop_values(conn, _dependent(name, derived_metrics.find_definitions(conn)))
            fields = patch.model_dump(exclude_none=True)
            if fields:
                derived_metrics.change(conn, name, fields)
            return derived_metrics.get(conn, name)

        changed = await self._db.write(work)
        self._values.refresh()
        return changed

    async def remove(self, name: str) -> DerivedMetric:
        """Refused while something else uses it."""

        def work(conn: Connection) -> DerivedMetric:
            found = derived_metrics.get(conn, name)
            users = [f"“{one}”" for one in found.used_by]
            users += [f"the alert “{one}”" for one in alerts.names_using(conn, name)]
            if users:
                raise MoveRefused(
                    f"The derived metric “{name}” is used by {', '.join(users)}.",
                    next_step="Change or delete these first.",
                )
            derived_metrics.remove(conn, name)
            derived_metrics.drop_values(conn, [name])
            return found

        return await self._db.write(work)

    async def preview(self, expression: str, run_id: str, points: int) -> StoredSeries:
        """The expression computed for one run; WrongExpression where it cannot be read or names an unknown metric."""
        term = parse_expression(expression)
        definitions = await self._queries.definitions()

        def read(telemetry: TelemetryReader) -> StoredSeries:
            from rl_lab.orchestrator.runs.derived_series import evaluate_named
            from rl_lab.store.telemetry.series import select_part

            require_known(expression, term, [*telemetry.series_names(), *definitions])
            found = evaluate_named(PREVIEW, telemetry, term, definitions)
            return select_part(found, points, "step")

        found = await self._queries.telemetry(run_id, read, None)
        if found is None:
            run = await self._queries.get_run(run_id)
            raise NotFound(f"The run “{run.name}” has no metrics yet.", next_step="Choose another run.")
        return found

    async def known_metrics(self) -> set[str]:
        """Metrics that the lab describes, that an ended run has recorded, or a live one is recording."""
        found = await self._db.read(derived_metrics.list_recorded)
        for run in await self._db.read(runs.list_live):
            none: list[str] = []
            found |= set(await self._queries.telemetry(run.id, TelemetryReader.series_names, none))
        return found | set(METRICS)


def _require_free(conn: Connection, name: str) -> None:
    known = derived_metrics.list_all(conn)
    if len(known) >= MAX_DERIVED:
        raise InvalidInput.of_field(
            "name", f"There are {MAX_DERIVED} derived metrics already; delete one first."
        )
    same = next((one.name for one in known if one.name.lower() == name.lower()), None)
    if same is not None:
        raise AlreadyExists(
            f"There is a derived metric “{same}” already.", next_step="Change it, or choose another name."
        )
    if derived_metrics.is_metric_of_a_run(conn, name):
        raise AlreadyExists(f"A run has recorded a metric “{name}”.", next_step="Choose another name.")


def _require_sound(conn: Connection, name: str, expression: str, recorded: set[str]) -> None:
    """Readable, without a circle, and without a name that looks misspelled."""
    term = parse_expression(expression)
    definitions = {**derived_metrics.find_definitions(conn), name: term}
    require_no_typo(expression, term, recorded | set(definitions))
    if name in names_in(term):
        column = expression.find(name)
        raise WrongExpression(expression, max(0, column), f"“{name}” cannot use itself.")
    computing_order(definitions, definitions)


def _dependent(name: str, definitions: Definitions) -> list[str]:
    """A derived metric with all that are computed from it."""
    return [one for one in definitions if name in computing_order([one], definitions)]
