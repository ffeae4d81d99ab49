"""AlertDeliveries executes the commands of alerts that have fired and sends their webhooks.

What became of each is stored with the firing, so a lab that is killed continues: a webhook may then be sent twice, a
command is never started twice.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection

from rl_lab.core.errors import NotFound
from rl_lab.core.workbench.alerts import Alert, AlertAction, AlertDelivery, AlertFiring, AlertTest
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.bus import ALERTS_TOPIC
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.workbench.alert_commands import AT_ONCE, AlertCommands
from rl_lab.orchestrator.workbench.alert_webhooks import WebhookFailed, send_webhook
from rl_lab.store.workbench import alerts

log = logging.getLogger(__name__)

TRIES = 3
WAITS_S = (0.0, 1.0, 5.0)
"""Before each try."""
RETRY_S = 10.0
"""After an error, such as one of the database."""
CLOSING_S = 5.0
"""For what is being sent or executed when the lab closes."""
OPEN = frozenset({"waiting", "sending"})
CUT_OFF = "The lab ended while the command ran; it is not started again."
NOT_STORED = "It was started, but how it ended could not be stored; it is not started again."
NOT_KNOWN = "It was sent, but how it was answered could not be stored."
NO_ACTION = "The alert no longer has this action."


class AlertDeliveries:
    def __init__(self, context: Context, commands: AlertCommands) -> None:
        self._db = context.db
        self._bus = context.bus
        self._settings = context.settings
        self._commands = commands
        self._loop = BackgroundLoop("alert deliveries", self._start_open)
        self._running: dict[tuple[str, str], asyncio.Task[None]] = {}
        """By alert and run; a slow command keeps no other waiting."""

    @property
    def allowed_hosts(self) -> list[str]:
        return [host for host in self._settings.alert_hosts.replace(",", " ").split() if host]

    async def open(self) -> None:
        await self._db.write(_close_cut_off)
        self._loop.open()

    async def close(self) -> None:
        await self._loop.finish(CLOSING_S)
        if self._running:
            await asyncio.wait(self._running.values(), timeout=CLOSING_S)
        for task in list(self._running.values()):
            task.cancel()
        await asyncio.gather(*self._running.values(), return_exceptions=True)
        self._commands.close()

    def wake(self) -> None:
        self._loop.wake()

    async def try_actions(self, alert: Alert) -> AlertTest:
        """Executes and sends with example values, once; stores nothing."""
        facts = {
            "alert": alert.name,
            "alert_id": alert.id,
            "condition": alert.condition,
            "run_id": "",
            "run_name": "test",
            "value": alert.rule.value,
            "step": 0,
            "message": f"This is a test of the alert “{alert.name}”.",
            "is_test": True,
        }
        rule, found = alert.rule, AlertTest()
        if rule.command is not None:
            found.deliveries["command"] = await self._commands.run(rule.command, facts)
        if rule.webhook is not None:
            found.deliveries["webhook"] = await self._send(rule.webhook, facts, tries=1, most=1)
        return found

    async def _start_open(self) -> None:
        """A round; the loop is woken by every new firing, and by every one that is done."""
        for firing in await self._db.read(lambda conn: alerts.list_open(conn, AT_ONCE)):
            key = (firing.alert_id, firing.run_id)
            if key not in self._running and len(self._running) < AT_ONCE:
                self._running[key] = asyncio.create_task(self._deliver(firing), name="alert delivery")

    async def _deliver(self, firing: AlertFiring) -> None:
        try:
            await self._act_on(firing)
        except NotFound:
            pass  # deleted meanwhile, with its firings
        except Exception:
            log.exception("alert %s: its actions for run %s failed", firing.alert_id, firing.run_id)
            await asyncio.sleep(RETRY_S)
        finally:
            del self._running[firing.alert_id, firing.run_id]
            self._loop.wake()

    async def _act_on(self, firing: AlertFiring) -> None:
        alert = await self._db.read(lambda conn: alerts.get(conn, firing.alert_id))
        rule, facts = alert.rule, facts_of(firing, alert)
        for action, delivery in firing.deliveries.items():
            if delivery.state not in OPEN:
                continue
            if action == "command" and rule.command is not None:
                await self._execute(firing, rule.command, facts)
            elif action == "webhook" and rule.webhook is not None:
                await self._send_patiently(firing, rule.webhook, facts)
            else:
                gone = AlertDelivery(state="failed", tries=delivery.tries, message=NO_ACTION)
                await self._keep(firing, action, gone)

    async def _execute(self, firing: AlertFiring, words: Sequence[str], facts: dict[str, Any]) -> None:
        """Stored before it is started, so that it is never started twice."""
        seen, begun = firing.deliveries["command"], AlertDelivery(state="sending", tries=1)
        if seen.state == "sending":
            unknown = AlertDelivery(state="failed", tries=1, message=NOT_STORED)
            await self._keep(firing, "command", unknown, seen=seen)
        elif await self._keep(firing, "command", begun, seen=seen):
            await self._keep(firing, "command", await self._commands.run(words, facts))

    async def _send_patiently(self, firing: AlertFiring, address: str, facts: dict[str, Any]) -> None:
        """Each try is stored before it is made, so that there are never more than are allowed."""
        delivery = firing.deliveries["webhook"]
        for tries in range(delivery.tries + 1, TRIES + 1):
            await asyncio.sleep(WAITS_S[tries - 1])
            begun = AlertDelivery(state="sending", tries=tries)
            if not await self._keep(firing, "webhook", begun, seen=delivery):
                return
            delivery = await self._send(address, facts, tries=tries, most=TRIES)
            await self._keep(firing, "webhook", delivery)
            if delivery.state not in OPEN:
                return
        if delivery.state in OPEN:
            unknown = AlertDelivery(state="failed", tries=delivery.tries, message=NOT_KNOWN)
            await self._keep(firing, "webhook", unknown)

    async def _send(self, address: str, facts: dict[str, Any], *, tries: int, most: int) -> AlertDelivery:
        try:
            status = await send_webhook(address, facts, self.allowed_hosts)
        except WebhookFailed as error:
            is_over = tries >= most or not error.can_retry
            return AlertDelivery(state="failed" if is_over else "waiting", tries=tries, message=str(error))
        return AlertDelivery(state="done", tries=tries, message=f"It answered {status}.")

    async def _keep(
        self,
        firing: AlertFiring,
        action: AlertAction,
        delivery: AlertDelivery,
        *,
        seen: AlertDelivery | None = None,
    ) -> bool:
        """False for a firing that was forgotten meanwhile, with its alert or for a new rule, and as in the store."""

        def work(conn: Connection) -> list[AlertFiring]:
            if not alerts.put_delivery(conn, firing, action, delivery, seen=seen):
                return []
            return alerts.list_firings(conn, alert_id=firing.alert_id, run_id=firing.run_id)

        stored = await self._db.write(work)
        for changed in stored:
            if delivery.state not in OPEN:
                self._bus.publish(ALERTS_TOPIC, time.time_ns() // 1000, changed)
        return bool(stored)


def facts_of(firing: AlertFiring, alert: Alert) -> dict[str, Any]:
    """What a command gets as variables and a webhook as JSON."""
    return {
        "alert": firing.alert_name,
        "alert_id": firing.alert_id,
        "condition": alert.condition,
        "run_id": firing.run_id,
        "run_name": firing.run_name,
        "value": firing.value,
        "step": firing.step,
        "message": firing.message,
        "at": firing.at.isoformat(),
    }


def _close_cut_off(conn: Connection) -> None:
    """Commands that ran when an earlier lab ended."""
    for firing in alerts.list_open(conn, limit=10_000):
        command = firing.deliveries.get("command")
        if command is not None and command.state == "sending":
            cut_off = AlertDelivery(state="failed", tries=1, message=CUT_OFF)
            alerts.put_delivery(conn, firing, "command", cut_off)
