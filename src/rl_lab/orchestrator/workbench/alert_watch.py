"""AlertWatch looks at runs that have changed and fires the alerts whose condition they meet.

The bus says which runs have changed; nothing is read while there is no alert. A look reads the stored points of the
metrics that alerts name, and takes at most a twentieth of the time: the longer it took, the later the next one is.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.errors import WrongExpression
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.runs import FINAL, Run
from rl_lab.core.workbench.alerts import Alert, AlertAction, AlertDelivery, AlertFiring, AlertRule
from rl_lab.core.workbench.derived_metrics import Definitions
from rl_lab.core.workbench.expressions import parse_expression
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.bus import ALERTS_TOPIC, RUNS_TOPIC
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.workbench.alert_deliveries import AlertDeliveries
from rl_lab.store import events, runs
from rl_lab.store.sql import meta
from rl_lab.store.telemetry import TelemetryReader
from rl_lab.store.workbench import alerts, derived_metrics

log = logging.getLogger(__name__)

INTERVAL_S = 0.5
"""The least time between two looks."""
SHARE = 20
"""A look that took a second is followed by one after 20 s."""
LOOKED_UNTIL = "alerts_looked_until"
"""Key of the time until which all ended runs were looked at."""
OVERLAP = timedelta(minutes=1)
CLOSING_S = 5.0
"""For the last look; the next lab looks at runs that were missed."""
MOST_REPEATS = 3
"""Of a look that fails."""


class MetPoint(NamedTuple):
    """Where a rule is met."""

    value: float | None = None
    step: int | None = None


class AlertWatch:
    def __init__(self, context: Context, deliveries: AlertDeliveries) -> None:
        self._db = context.db
        self._bus = context.bus
        self._changes = context.changes
        self._folders = context.folders
        self._deliveries = deliveries
        self._active: list[Alert] = []
        self._due: dict[str, None] = {}
        """Runs that have changed since they were looked at, in order."""
        self._sizes: dict[str, dict[str, int]] = {}
        """Points that were looked at, by run and metric."""
        self._failures: dict[str, int] = {}
        """Looks that failed, by run that is looked at again."""
        self._next_at = 0.0
        self._loop = BackgroundLoop("alerts", self._look)
        context.bus.listen(RUNS_TOPIC, self._note)

    async def open(self) -> None:
        """Runs that ended while there was no lab are looked at too."""
        self._active = await self._db.read(alerts.list_active)
        if self._active:
            self._due |= dict.fromkeys(await self._db.read(self._find_missed))
        self._loop.open()

    async def close(self) -> None:
        """Changed runs are looked at once more: the lab of a command ends as soon as its run has ended."""
        self._next_at = 0.0
        await self._loop.finish(CLOSING_S)

    async def reload(self) -> None:
        """An alert is new, was changed or deleted: live runs are looked at again."""
        self._active = await self._db.read(alerts.list_active)
        self._sizes = {}  # another one: a look that began before the change notes its points in the old one
        if self._active:
            self._due |= dict.fromkeys(run.id for run in await self._db.read(runs.list_live))
        self._loop.wake()

    def _find_missed(self, conn: Connection) -> list[str]:
        stored = meta.find(conn, LOOKED_UNTIL)
        since = datetime.fromisoformat(stored) if stored else min(one.updated_at for one in self._active)
        return [*alerts.list_ended_since(conn, since - OVERLAP), *(run.id for run in runs.list_live(conn))]

    def _note(self, run: Run) -> None:
        if self._active and run.deleted_at is None:
            self._due[run.id] = None
            self._loop.wake()

    async def _look(self) -> float | None:
        wait_s = self._next_at - time.monotonic()
        if not self._due or not self._active or wait_s > 0:
            return wait_s if self._due and self._active else None
        begun, now = time.monotonic(), datetime.now(UTC)
        due = list(self._due)
        definitions = await self._db.read(derived_metrics.find_definitions)
        has_ended = False
        for run_id in due:
            # Taken out first: a change during the look causes another one.
            del self._due[run_id]
            has_ended |= await self._try_look(run_id, definitions)
        if has_ended and not self._failures:
            await self._db.write(lambda conn: meta.put(conn, LOOKED_UNTIL, now.isoformat()))
        self._next_at = time.monotonic() + max(INTERVAL_S, SHARE * (time.monotonic() - begun))
        return INTERVAL_S if self._due else None

    async def _try_look(self, run_id: str, definitions: Definitions) -> bool:
        """Whether the run has ended; a look that fails is repeated, since nothing else changes in an ended run."""
        failures = self._failures.pop(run_id, 0)
        try:
            return await self._look_at(run_id, definitions)
        except Exception as error:  # the edge: one run must not end the looks at the others
            log.warning("run %s: alerts cannot be looked at: %s", run_id, error)
        if failures < MOST_REPEATS:
            self._failures[run_id] = failures + 1
            self._due[run_id] = None
        return False

    async def _look_at(self, run_id: str, definitions: Definitions) -> bool:
        """Whether the run has ended; the alerts whose condition it meets have fired."""
        active, sizes = self._active, self._sizes
        found = await self._db.read(lambda conn: _find_armed(conn, run_id, active))
        if found is None:
            return False
        run, armed = found
        for alert in armed:
            if alert.rule.comparison == "ended" and _has_ended(run, alert):
                await self._fire(alert, run, MetPoint())
        watching = [one for one in armed if one.rule.comparison != "ended"]
        if watching:
            met = await asyncio.to_thread(self._find_met, run, watching, definitions, sizes)
            for alert, point in met:
                await self._fire(alert, run, point)
        if run.status in FINAL:
            self._sizes.pop(run_id, None)
        return run.status in FINAL

    def _find_met(
        self,
        run: Run,
        watching: Sequence[Alert],
        definitions: Definitions,
        seen: dict[str, dict[str, int]],
    ) -> list[tuple[Alert, MetPoint]]:
        """`seen`: the points that these alerts were looked for in already, by run and metric."""
        path = self._folders.find(run.id).telemetry
        if not path.exists():
            return []
        with TelemetryReader(path, run.id) as telemetry:
            sizes = {latest.name: latest.count for latest in telemetry.latest()}
            if sizes == seen.get(run.id) and run.status not in FINAL:
                return []
            found = [(alert, _met(telemetry, alert, definitions)) for alert in watching]
        seen[run.id] = sizes
        return [(alert, point) for alert, point in found if point is not None]

    async def _fire(self, alert: Alert, run: Run, point: MetPoint) -> None:
        firing = AlertFiring(
            alert_id=alert.id,
            alert_name=alert.name,
            run_id=run.id,
            run_name=run.name,
            at=datetime.now(UTC),
            value=point.value,
            step=point.step,
            message=_message(alert, run, point),
            deliveries={action: AlertDelivery() for action in _actions(alert.rule)},
        )

        def work(conn: Connection) -> bool:
            """In one transaction, so that it fires once."""
            is_new = alerts.put_firing(conn, firing, alert)
            if is_new:
                data = firing.model_dump(include={"alert_id", "alert_name", "value", "step"})
                events.append(conn, run.id, event_log.ALERT_FIRED, firing.message, data=data)
            return is_new

        if await self._db.write(work):
            self._changes.events_written()
            self._bus.publish(ALERTS_TOPIC, time.time_ns() // 1000, firing)
            self._deliveries.wake()


def _find_armed(conn: Connection, run_id: str, active: Sequence[Alert]) -> tuple[Run, list[Alert]] | None:
    """The run with the alerts that watch it and have not fired for it; None for a run that was deleted."""
    found = runs.list_by_ids(conn, [run_id])
    if not found or found[0].deleted_at is not None:
        return None
    run, fired = found[0], alerts.fired_for(conn, run_id)
    return run, [one for one in active if one.id not in fired and watches(one.rule, run)]


def watches(rule: AlertRule, run: Run) -> bool:
    scope = rule.scope
    if scope.run_id is not None:
        return run.id == scope.run_id
    if run.kind is not RunKind.train:
        return False
    return (
        scope.env_id in (None, run.env_id)
        and (scope.tag is None or scope.tag in run.tags)
        and scope.study_id in (None, run.study_id)
    )


def _has_ended(run: Run, alert: Alert) -> bool:
    is_new = run.ended_at is not None and run.ended_at >= alert.updated_at
    return is_new and run.status in (alert.rule.statuses or FINAL)


def _met(telemetry: TelemetryReader, alert: Alert, definitions: Definitions) -> MetPoint | None:
    from rl_lab.analysis.alerts import find_firing
    from rl_lab.orchestrator.runs.derived_series import evaluate_for

    try:
        term = parse_expression(alert.rule.expression)
    except WrongExpression:
        return None
    points = evaluate_for(telemetry, term, definitions)
    place = None if points is None else find_firing(points, alert.rule, alert.updated_at.timestamp())
    if points is None or place is None:
        return None
    value = float(points.value[place])
    return MetPoint(value if value == value else None, int(points.step[place]))


def _actions(rule: AlertRule) -> list[AlertAction]:
    found: list[AlertAction] = []
    if rule.command is not None:
        found.append("command")
    if rule.webhook is not None:
        found.append("webhook")
    return found


def _message(alert: Alert, run: Run, point: MetPoint) -> str:
    if alert.rule.comparison == "ended":
        return f"{run.name} has ended: {run.status}."
    value = "" if point.value is None else f": {point.value:,.6g}"
    return f"{run.name}: {alert.condition}{value} (step {point.step or 0:,})."
