"""Alerts: saved, changed and tried. `alert_watch.py` fires them, `alert_deliveries.py` carries out their actions."""

from __future__ import annotations

import shlex
from typing import Any

from sqlalchemy import Connection

from rl_lab.core.errors import ConsentNeeded, InvalidInput
from rl_lab.core.workbench.alerts import (
    MAX_ALERTS,
    Alert,
    AlertFiring,
    AlertPatch,
    AlertRule,
    AlertTest,
    NewAlert,
)
from rl_lab.core.workbench.expressions import parse_expression, require_no_typo
from rl_lab.core.workbench.webhook_addresses import require_allowed
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.foreign.script_user import runs_as
from rl_lab.orchestrator.workbench.alert_commands import AlertCommands
from rl_lab.orchestrator.workbench.alert_deliveries import AlertDeliveries
from rl_lab.orchestrator.workbench.alert_watch import AlertWatch
from rl_lab.orchestrator.workbench.derived_metrics import DerivedMetrics
from rl_lab.store import runs
from rl_lab.store.experiments import studies
from rl_lab.store.workbench import alerts, derived_metrics


class Alerts:
    def __init__(self, context: Context, metrics: DerivedMetrics) -> None:
        self._db = context.db
        self._settings = context.settings
        self._metrics = metrics
        self._deliveries = AlertDeliveries(context, AlertCommands(context.settings))
        self._watch = AlertWatch(context, self._deliveries)

    async def open(self) -> None:
        await self._deliveries.open()
        await self._watch.open()

    async def close(self) -> None:
        await self._watch.close()
        await self._deliveries.close()

    async def list_all(self) -> list[Alert]:
        return await self._db.read(alerts.list_all)

    async def get(self, alert_id: str) -> Alert:
        return await self._db.read(lambda conn: alerts.get(conn, alert_id))

    async def save(self, new: NewAlert) -> Alert:
        await self._require_sound(new.rule)
        self._require_approval(new.rule, None, is_approved=new.command_approved)

        def work(conn: Connection) -> Alert:
            if len(alerts.list_all(conn)) >= MAX_ALERTS:
                raise InvalidInput(f"There are {MAX_ALERTS} alerts already.", next_step="Delete one first.")
            return alerts.put(conn, new)

        saved = await self._db.write(work)
        await self._watch.reload()
        return saved

    async def change(self, alert_id: str, patch: AlertPatch) -> Alert:
        """A new rule arms it again for all runs."""
        await self.get(alert_id)
        if patch.rule is not None:
            await self._require_sound(patch.rule)

        def work(conn: Connection) -> Alert:
            before = alerts.get(conn, alert_id)
            if patch.rule is not None:
                self._require_approval(patch.rule, before.rule, is_approved=patch.command_approved)
            fields = _what_changes(patch, before)
            if "rule" in fields:
                alerts.forget_firings(conn, alert_id)
            if fields:
                alerts.change(conn, alert_id, fields)
            return alerts.get(conn, alert_id)

        changed = await self._db.write(work)
        await self._watch.reload()
        return changed

    async def remove(self, alert_id: str) -> Alert:
        def work(conn: Connection) -> Alert:
            found = alerts.get(conn, alert_id)
            alerts.remove(conn, alert_id)
            return found

        removed = await self._db.write(work)
        await self._watch.reload()
        return removed

    async def list_firings(
        self, *, alert_id: str | None = None, run_id: str | None = None, limit: int = 100
    ) -> list[AlertFiring]:
        return await self._db.read(
            lambda conn: alerts.list_firings(conn, alert_id=alert_id, run_id=run_id, limit=limit)
        )

    async def try_actions(self, alert_id: str) -> AlertTest:
        return await self._deliveries.try_actions(await self.get(alert_id))

    async def _require_sound(self, rule: AlertRule) -> None:
        """Its expression can be read, its run or study exists, its address is allowed."""
        if rule.expression:
            term = parse_expression(rule.expression)
            derived = await self._db.read(derived_metrics.find_definitions)
            require_no_typo(rule.expression, term, await self._metrics.known_metrics() | set(derived))
            if rule.comparison == "not_a_number" and rule.expression.strip('`"') in derived:
                raise InvalidInput.of_field(
                    "expression", "A derived metric has gaps where it is undefined; name one of its metrics."
                )
        if rule.scope.run_id is not None:
            await self._db.read(lambda conn: runs.get(conn, str(rule.scope.run_id)))
        if rule.scope.study_id is not None:
            await self._db.read(lambda conn: studies.get(conn, str(rule.scope.study_id)))
        if rule.webhook is not None:
            require_allowed(rule.webhook, self._deliveries.allowed_hosts)

    def _require_approval(self, rule: AlertRule, before: AlertRule | None, *, is_approved: bool) -> None:
        """A command that nobody has seen yet is not saved."""
        is_known = before is not None and before.command == rule.command
        if rule.command is None or is_known or is_approved:
            return
        raise ConsentNeeded(
            f"When this alert fires, the lab executes this command as {runs_as(self._settings)}, not confined: "
            f"{shlex.join(rule.command)}",
            next_step="Approve it: `command_approved`, or `--yes` on the command line.",
        )


def _what_changes(patch: AlertPatch, before: Alert) -> dict[str, Any]:
    """Without what is the same: only another rule arms an alert again."""
    fields: dict[str, Any] = {} if patch.name is None else {"name": patch.name}
    if patch.rule not in (None, before.rule):
        fields["rule"] = patch.rule.model_dump(mode="json")
    if patch.is_active not in (None, before.is_active):
        fields["is_active"] = patch.is_active
    return fields
