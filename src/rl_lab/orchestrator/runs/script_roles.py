"""Changes which environments of a captured script are its training; everything made from episodes follows."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.errors import InvalidInput
from rl_lab.core.runs import LIVE, Run
from rl_lab.core.script_environments import EnvironmentRole, ScriptEnvironment, describe_environment
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.service import Execution
from rl_lab.orchestrator.ingest.role_choices import Figures
from rl_lab.store import events, runs
from rl_lab.store.telemetry import TelemetryReader


class ScriptRoles:
    def __init__(self, context: Context, execution: Execution) -> None:
        self._context = context
        self._ingest = execution.ingest
        self._finisher = execution.finisher

    async def choose(self, run_id: str, number: int, role: EnvironmentRole) -> list[ScriptEnvironment]:
        """The environments after the change; NotFound for a number that the run does not have."""
        folder = await self._context.folders.open(run_id)
        if role == "evaluation":
            await self._require_another(run_id, number)
        figures = await self._ingest.choose_roles(folder, {number: role})
        found = await self.list(run_id)
        changed = await self._context.db.write(lambda conn: _write(conn, run_id, found, number, figures))
        await asyncio.to_thread(folder.write_config, changed.config)
        if changed.status not in LIVE:
            await asyncio.to_thread(self._finisher.write_summary, changed)
        self._context.changes.run_changed(changed)
        self._context.changes.events_written()
        return found

    async def list(self, run_id: str) -> list[ScriptEnvironment]:
        await self._context.db.read(lambda conn: runs.get(conn, run_id))
        folder = await self._context.folders.open(run_id)

        def read() -> list[ScriptEnvironment]:
            if not folder.telemetry.exists():
                return []
            with TelemetryReader(folder.telemetry, run_id) as telemetry:
                return telemetry.environments()

        return await asyncio.to_thread(read)

    async def _require_another(self, run_id: str, number: int) -> None:
        found = await self.list(run_id)
        others = [one for one in found if one.role == "training" and one.number != number]
        if any(one.number == number for one in found) and not others:
            raise InvalidInput.of_field(
                "role",
                "This is the only training environment of the run; choose another one as the training first.",
            )


def _write(
    conn: Connection, run_id: str, found: Sequence[ScriptEnvironment], number: int, figures: Figures
) -> Run:
    progress, summary = figures
    run = runs.get(conn, run_id)
    result = run.summary.result
    if result is not None:
        recomputed = {
            "timestep": progress.timestep,
            "episodes": progress.episodes,
            "mean_reward": summary.mean_reward,
        }
        summary = summary.model_copy(update={"result": {**result, **recomputed}})
    runs.update_progress(conn, run_id, progress, summary)
    chosen = next(one for one in found if one.number == number)
    role = "the training" if chosen.role == "training" else "evaluation"
    message = f"{describe_environment(chosen)}, is {role} now: chosen by the user. Curves and figures follow."
    events.append(conn, run_id, event_log.ENVIRONMENT_ROLE, message, data=chosen.model_dump(mode="json"))
    first = next((one for one in found if one.role == "training" and one.env_id), None)
    if first is not None:
        runs.learn(conn, run_id, {"env_id": first.env_id, "env_kwargs": first.env_kwargs})
    return runs.get(conn, run_id)
