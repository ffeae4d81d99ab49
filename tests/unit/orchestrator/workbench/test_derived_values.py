"""Last values of derived metrics: computed by the expression that counts when they are stored."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.contexts import temporary_context
from support.fired_alerts import ended_run
from support.waiting import wait_until_async

from rl_lab.core.runs import Progress, Summary
from rl_lab.core.workbench.derived_metrics import Definitions, NewDerivedMetric
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.workbench.derived_values import DerivedValues
from rl_lab.store import runs
from rl_lab.store.workbench import derived_metrics

pytestmark = pytest.mark.anyio


async def test_an_expression_that_changes_while_it_is_computed_is_computed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with temporary_context(tmp_path) as context:
        run = await ended_run(context)
        summary = Summary(metrics={"reward": 4.0})
        await context.db.write(lambda conn: runs.update_progress(conn, run.id, Progress(), summary))
        new = NewDerivedMetric(name="double", expression="reward * 2")
        await context.db.write(lambda conn: derived_metrics.put(conn, new))
        computed: list[Definitions] = []

        def compute(
            _: DerivedValues, _run_id: str, names: list[str], definitions: Definitions
        ) -> dict[str, float | None]:
            computed.append(definitions)
            if len(computed) == 1:
                change_expression(context)
            return dict.fromkeys(names, float(len(computed)))

        monkeypatch.setattr(DerivedValues, "_read", compute)
        values = DerivedValues(context)
        values.open()
        found = await wait_until_async(lambda: value_of(context, run.id), "the value")
        await values.close()
        assert found == 2.0, "what the first expression gave is not stored"
        assert computed[0] != computed[1]


def change_expression(context: Context) -> None:
    """As a PATCH does."""

    def work(conn: object) -> None:
        derived_metrics.drop_values(conn, ["double"])  # type: ignore[arg-type]
        derived_metrics.change(conn, "double", {"expression": "reward + reward"})  # type: ignore[arg-type]

    context.db.write_from_thread(work)


async def value_of(context: Context, run_id: str) -> float | None:
    found = await context.db.read(lambda conn: derived_metrics.find_values(conn, [run_id]))
    return found.get(run_id, {}).get("double")
