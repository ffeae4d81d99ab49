"""Alerts and runs in a temporary context, for tests of what watches them and acts on them."""

from __future__ import annotations

from typing import Any

from rl_lab.core.runs import Run, RunStatus
from rl_lab.core.workbench.alerts import (
    Alert,
    AlertAction,
    AlertDelivery,
    AlertFiring,
    AlertRule,
    DeliveryState,
    NewAlert,
)
from rl_lab.orchestrator.context import Context
from rl_lab.store.workbench import alerts
from support.contexts import add_run
from support.waiting import wait_until_async

ENDED = (RunStatus.queued, RunStatus.starting, RunStatus.running, RunStatus.succeeded)


async def save_alert(context: Context, **rule: Any) -> Alert:
    new = NewAlert(name="good", rule=AlertRule(**{"comparison": "ended", **rule}))
    return await context.db.write(lambda conn: alerts.put(conn, new))


async def change_rule(context: Context, alert: Alert, **changes: Any) -> None:
    """Without forgetting its firings."""
    rule = alert.rule.model_copy(update=changes).model_dump(mode="json")
    await context.db.write(lambda conn: alerts.change(conn, alert.id, {"rule": rule}))


async def fire(context: Context, alert: Alert, state: DeliveryState, *actions: AlertAction) -> AlertFiring:
    run = await add_run(context, *ENDED)
    firing = AlertFiring(
        alert_id=alert.id,
        alert_name=alert.name,
        run_id=run.id,
        run_name=run.name,
        at=run.updated_at,
        message="It has ended.",
        deliveries={action: AlertDelivery(state=state) for action in actions},
    )
    assert await context.db.write(lambda conn: alerts.put_firing(conn, firing, alert))
    return firing


async def list_firings(context: Context) -> list[AlertFiring]:
    return await context.db.read(alerts.list_firings)


async def delivered(context: Context, action: AlertAction) -> AlertDelivery:
    """What became of this action of the only firing, once it is over."""

    async def look() -> AlertDelivery | None:
        (firing,) = await list_firings(context)
        found = firing.deliveries[action]
        return found if found.state in ("done", "failed") else None

    return await wait_until_async(look, f"the end of the {action}")


async def ended_run(context: Context) -> Run:
    return await add_run(context, *ENDED)
