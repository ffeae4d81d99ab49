"""Changing alerts: what arms one again, and what only gives it another name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.contexts import temporary_context
from support.fired_alerts import fire, list_firings, save_alert

from rl_lab.core.runs import RunStatus
from rl_lab.core.workbench.alerts import AlertPatch
from rl_lab.orchestrator.workbench.alerts import Alerts

pytestmark = pytest.mark.anyio
NO_METRICS: Any = None


async def test_another_name_with_the_same_rule_arms_nothing(tmp_path: Path) -> None:
    """The command line sends the whole rule."""
    async with temporary_context(tmp_path) as context:
        alert = await save_alert(context)
        await fire(context, alert, "done")
        room = Alerts(context, NO_METRICS)
        renamed = await room.change(alert.id, AlertPatch(name="finished", rule=alert.rule, is_active=True))
        assert (renamed.name, renamed.firings, renamed.updated_at) == ("finished", 1, alert.updated_at)


async def test_another_rule_arms_it_again(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        alert = await save_alert(context)
        await fire(context, alert, "done")
        rule = alert.rule.model_copy(update={"statuses": [RunStatus.failed]})
        changed = await Alerts(context, NO_METRICS).change(alert.id, AlertPatch(rule=rule))
        assert await list_firings(context) == []
        assert changed.updated_at > alert.updated_at
