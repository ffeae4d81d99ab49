"""Actions of alerts that have fired: a command is started once, and what cannot be done is not tried without end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from support.contexts import temporary_context
from support.fired_alerts import change_rule, delivered, fire, list_firings, save_alert
from support.waiting import wait_until_async

from rl_lab.core.workbench.alerts import AlertDelivery
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.workbench import alert_deliveries
from rl_lab.orchestrator.workbench.alert_deliveries import AlertDeliveries
from rl_lab.orchestrator.workbench.alert_webhooks import WebhookFailed
from rl_lab.store.workbench import alerts

pytestmark = pytest.mark.anyio
COMMAND = ["notify", "me"]
ADDRESS = "http://localhost:9/hook"


class FakeCommands:
    """Starts nothing; counts what it was asked to start."""

    def __init__(self) -> None:
        self.started: list[Sequence[str]] = []

    async def run(self, words: Sequence[str], facts: Any) -> AlertDelivery:
        self.started.append(words)
        return AlertDelivery(state="done", tries=1, message="It ended with code 0.")

    def close(self) -> None:
        pass


class FailingWrites:
    """The database of a context, whose writes fail from a moment on."""

    def __init__(self, context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
        self.left = 0
        self.failed = 0
        self._write = context.db.write
        monkeypatch.setattr(context.db, "write", self._maybe)

    async def _maybe(self, work: Any) -> Any:
        if self.left > 0:
            self.left -= 1
            self.failed += 1
            raise OperationalError("INSERT", {}, Exception("the disk is full"))
        return await self._write(work)


@asynccontextmanager
async def delivering(context: Context, commands: FakeCommands) -> AsyncIterator[AlertDeliveries]:
    deliveries = AlertDeliveries(context, commands)  # type: ignore[arg-type]
    await deliveries.open()
    try:
        yield deliveries
    finally:
        await deliveries.close()


async def test_a_command_is_executed_and_what_became_of_it_is_stored(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        await fire(context, await save_alert(context, command=COMMAND), "waiting", "command")
        commands = FakeCommands()
        async with delivering(context, commands):
            assert (await delivered(context, "command")).state == "done"
        assert commands.started == [COMMAND]


@pytest.mark.parametrize("action", ["command", "webhook"])
async def test_an_action_that_the_alert_no_longer_has_fails(tmp_path: Path, action: Any) -> None:
    async with temporary_context(tmp_path) as context:
        alert = await save_alert(context, command=COMMAND, webhook=ADDRESS)
        await fire(context, alert, "waiting", action)
        await change_rule(context, alert, command=None, webhook=None)
        async with delivering(context, FakeCommands()):
            found = await delivered(context, action)
        assert (found.state, found.message) == ("failed", "The alert no longer has this action.")


async def test_a_command_that_may_have_been_started_is_not_started_again(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        alert, commands = await save_alert(context, command=COMMAND), FakeCommands()
        async with delivering(context, commands) as deliveries:
            await fire(context, alert, "sending", "command")
            deliveries.wake()
            found = await delivered(context, "command")
        assert (found.state, commands.started) == ("failed", [])
        assert (
            found.message == "It was started, but how it ended could not be stored; it is not started again."
        )


async def test_a_command_whose_end_cannot_be_stored_is_started_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alert_deliveries, "RETRY_S", 0.01)
    async with temporary_context(tmp_path) as context:
        await fire(context, await save_alert(context, command=COMMAND), "waiting", "command")
        writes, commands = FailingWrites(context, monkeypatch), FakeCommands()
        run = commands.run

        async def run_then_fail(words: Sequence[str], facts: Any) -> AlertDelivery:
            writes.left = 3
            return await run(words, facts)

        monkeypatch.setattr(commands, "run", run_then_fail)
        async with delivering(context, commands):
            assert (await delivered(context, "command")).state == "failed"
        assert (commands.started, writes.failed) == ([COMMAND], 3)


async def test_a_write_that_fails_is_not_repeated_without_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alert_deliveries, "RETRY_S", 3600.0)
    async with temporary_context(tmp_path) as context:
        alert, commands = await save_alert(context, command=COMMAND), FakeCommands()
        writes = FailingWrites(context, monkeypatch)
        async with delivering(context, commands) as deliveries:
            await fire(context, alert, "waiting", "command")
            writes.left = 1000
            deliveries.wake()
            await wait_until_async(lambda: writes.failed, "the first failure")
            for _ in range(20):
                deliveries.wake()
                await list_firings(context)
        assert (writes.failed, commands.started) == (1, [])


async def test_a_command_of_a_firing_that_was_forgotten_is_not_started(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        alert, commands = await save_alert(context, command=COMMAND), FakeCommands()
        firing = await fire(context, alert, "waiting", "command")
        await context.db.write(lambda conn: alerts.forget_firings(conn, alert.id))
        deliveries = AlertDeliveries(context, commands)  # type: ignore[arg-type]
        await deliveries._act_on(firing)
        assert commands.started == []


async def test_a_webhook_is_sent_no_more_than_three_times_although_nothing_can_be_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alert_deliveries, "RETRY_S", 0.01)
    monkeypatch.setattr(alert_deliveries, "WAITS_S", (0.0, 0.0, 0.0))
    async with temporary_context(tmp_path) as context:
        await fire(context, await save_alert(context, webhook=ADDRESS), "waiting", "webhook")
        writes, sent = FailingWrites(context, monkeypatch), []

        async def send(address: str, *_: Any) -> str:
            sent.append(address)
            writes.left = 1
            return "204"

        monkeypatch.setattr(alert_deliveries, "send_webhook", send)
        async with delivering(context, FakeCommands()):
            found = await delivered(context, "webhook")
        assert (found.state, found.tries, len(sent)) == ("failed", 3, 3)


async def test_the_only_try_of_a_test_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(*_: Any) -> str:
        raise WebhookFailed("It could not be reached: refused.")

    monkeypatch.setattr(alert_deliveries, "send_webhook", refuse)
    async with temporary_context(tmp_path) as context:
        alert = await save_alert(context, webhook=ADDRESS)
        deliveries = AlertDeliveries(context, FakeCommands())  # type: ignore[arg-type]
        found = (await deliveries.try_actions(alert)).deliveries["webhook"]
        assert (found.state, found.tries) == ("failed", 1)
