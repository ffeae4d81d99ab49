"""Alerts, their firings, and trying their actions."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from rl_lab.api.deps import ID, ClientDep, Limit, WorkbenchDep
from rl_lab.core.workbench.alerts import Alert, AlertFiring, AlertPatch, AlertTest, NewAlert

router = APIRouter(prefix="/api/alerts", tags=["workbench"])

AlertId = Annotated[str, Path(pattern=ID, description="Id of the alert.", examples=["1h5w2k0p7q3x"])]


@router.get("", operation_id="list_alerts")
async def list_alerts(workbench: WorkbenchDep) -> list[Alert]:
    """The newest first."""
    return await workbench.alerts.list_all()


@router.post("", operation_id="save_alert", status_code=201)
async def save_alert(new: NewAlert, response: Response, workbench: WorkbenchDep) -> Alert:
    """Saves an alert. It fires once per run, for points that come after now."""
    saved = await workbench.alerts.save(new)
    response.headers["Location"] = f"/api/alerts/{saved.id}"
    return saved


@router.get("/firings", operation_id="list_alert_firings")
async def list_alert_firings(
    *,
    workbench: WorkbenchDep,
    alert_id: Annotated[str | None, Query(pattern=ID, description="Only of this alert.")] = None,
    run_id: Annotated[str | None, Query(pattern=ID, description="Only of this run.")] = None,
    limit: Limit = 50,
) -> list[AlertFiring]:
    """Which alerts have fired for which runs, and what became of their commands and webhooks; the newest first."""
    return await workbench.alerts.list_firings(alert_id=alert_id, run_id=run_id, limit=limit)


@router.get("/{alert_id}", operation_id="get_alert")
async def get_alert(alert_id: AlertId, workbench: WorkbenchDep) -> Alert:
    return await workbench.alerts.get(alert_id)


@router.patch("/{alert_id}", operation_id="patch_alert")
async def patch_alert(alert_id: AlertId, patch: AlertPatch, workbench: WorkbenchDep) -> Alert:
    """Changes an alert. A new rule arms it again for all runs."""
    return await workbench.alerts.change(alert_id, patch)


@router.delete("/{alert_id}", operation_id="delete_alert")
async def delete_alert(alert_id: AlertId, workbench: WorkbenchDep) -> Alert:
    """Removes an alert with its firings. Returns what it was."""
    return await workbench.alerts.remove(alert_id)


@router.post("/{alert_id}/test", operation_id="test_alert")
async def test_alert(alert_id: AlertId, workbench: WorkbenchDep, client: ClientDep) -> AlertTest:
    """Executes its command and sends its webhook once, with example values."""
    return await client.waits_for(workbench.alerts.try_actions(alert_id))
