"""Looks at runs: one that fails is repeated, and an alert that changes meanwhile does not fire by its old rule."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from support.contexts import temporary_context
from support.fired_alerts import ended_run, list_firings, save_alert
from support.waiting import wait_until_async

from rl_lab.core.workbench.alerts import Alert
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.workbench import alert_watch
from rl_lab.orchestrator.workbench.alert_watch import AlertWatch, MetPoint
from rl_lab.store.sql import meta
from rl_lab.store.workbench import alerts

pytestmark = pytest.mark.anyio


class FakeDeliveries:
    def wake(self) -> None:
        pass


class FakeTelemetry:
    """Has the points of every run, unless it fails."""

    def __init__(self, failures: int = 0) -> None:
        self.looks = 0
        self._failures = failures

    def __call__(self, *_: Any) -> FakeTelemetry:
        self.looks += 1
        if self.looks <= self._failures:
            raise sqlite3.OperationalError("database is locked")
        return self

    def __enter__(self) -> FakeTelemetry:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def latest(self) -> list[Any]:
        return []


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alert_watch, "INTERVAL_S", 0.01)
    monkeypatch.setattr(alert_watch, "SHARE", 0)
    monkeypatch.setattr(alert_watch, "_met", lambda *_: MetPoint(5.0, 10))


@asynccontextmanager
async def watching(context: Context, telemetry: FakeTelemetry, **rule: Any) -> AsyncIterator[Alert]:
    """A lab that opens after a run has ended, with an alert that its points meet."""
    met = {"expression": "reward", "comparison": "above", "value": 1.0}
    alert = await save_alert(context, **{**met, **rule})
    run = await ended_run(context)
    context.folders.find(run.id).telemetry.touch()
    watch = AlertWatch(context, FakeDeliveries())  # type: ignore[arg-type]
    await watch.open()
    try:
        yield alert
    finally:
        await watch.close()


async def looked_until(context: Context) -> str | None:
    return await context.db.read(lambda conn: meta.find(conn, alert_watch.LOOKED_UNTIL))


@pytest.mark.parametrize("failures", [0, 1, 3])
async def test_a_look_that_fails_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failures: int
) -> None:
    telemetry = FakeTelemetry(failures)
    monkeypatch.setattr(alert_watch, "TelemetryReader", telemetry)
    async with temporary_context(tmp_path) as context, watching(context, telemetry):
        (firing,) = await wait_until_async(lambda: list_firings(context), "the firing")
        assert (firing.value, telemetry.looks) == (5.0, failures + 1)
        await wait_until_async(lambda: looked_until(context), "the note that all ended runs were looked at")


async def test_a_look_that_always_fails_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    telemetry = FakeTelemetry(1000)
    monkeypatch.setattr(alert_watch, "TelemetryReader", telemetry)
    async with temporary_context(tmp_path) as context, watching(context, telemetry):
        await wait_until_async(lambda: telemetry.looks >= 4, "four looks")
        for _ in range(20):
            assert await list_firings(context) == []
        assert telemetry.looks == 4


async def test_an_alert_that_is_switched_off_during_a_look_does_not_fire(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    telemetry = FakeTelemetry()
    monkeypatch.setattr(alert_watch, "TelemetryReader", telemetry)
    async with temporary_context(tmp_path) as context:

        def met_while_it_changes(_: Any, alert: Alert, __: Any) -> MetPoint:
            context.db.write_from_thread(lambda conn: alerts.change(conn, alert.id, {"is_active": False}))
            return MetPoint(5.0, 10)

        monkeypatch.setattr(alert_watch, "_met", met_while_it_changes)
        async with watching(context, telemetry):
            await wait_until_async(lambda: looked_until(context), "the end of the look")
            assert await list_firings(context) == []
