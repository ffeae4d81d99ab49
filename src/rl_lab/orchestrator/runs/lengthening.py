"""An ended training is given a later end and goes back into the queue, to continue from its newest checkpoint."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import MoveRefused, NotReady
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.lengths.lengthening import Longer, LongerPreview, describe, lengthen, preview
from rl_lab.core.resuming import ResumeChoice
from rl_lab.core.runs import FINAL, Run, RunStatus, refuse_imported, require_adopted_move
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.checkpoints import Checkpoints
from rl_lab.orchestrator.execution.resume_points import ResumePoints
from rl_lab.runners.registry import spec_of
from rl_lab.store import artifacts, events, resume_choices, runs

NEW_RUN = "Start a new run from its checkpoint instead: rl-lab train --from {run_id}"


class WaitingLine(Protocol):
    """What is needed of the queue."""

    def wake(self) -> None: ...

    def describe_wait(self, conn: Connection, run: Run) -> str: ...


class LongerRuns:
    def __init__(
        self, context: Context, *, check: Callable[[Run], Awaitable[object]], queue: WaitingLine
    ) -> None:
        """`check` raises when a start could only fail."""
        self._db = context.db
        self._changes = context.changes
        self._folders = context.folders
        self._checkpoints = Checkpoints(context)
        self._resume_points = ResumePoints(context, self._checkpoints)
        self._check = check
        self._queue = queue

    async def preview(self, run_id: str, longer: Longer) -> LongerPreview:
        """What `lengthen` would do; refused for the same reasons."""
        _, later, at = await self._plan(run_id, longer)
        return preview(later, at)

    async def lengthen(self, run_id: str, longer: Longer) -> Run:
        """MoveRefused or NotReady for a run that cannot be lengthened; nothing has changed then."""
        run, later, at = await self._plan(run_id, longer)
        await self._check(run)
        message, choice = describe(later, longer, at), ResumeChoice(inexact=longer.inexact)
        changed = await self._db.write(lambda conn: self._write(conn, run, later, message, choice))
        if changed is None:
            return await self.lengthen(run_id, longer)  # checked again from its new state
        self._changes.run_changed(changed)
        self._changes.events_written()
        self._queue.wake()
        return changed

    async def _plan(self, run_id: str, longer: Longer) -> tuple[Run, TrainConfig, int]:
        """The run, its configuration with the later end, and the step that it continues from."""
        run = await self._db.read(lambda conn: runs.get(conn, run_id))
        config = require_lengthenable(run)
        await self._folders.open(run_id)
        newest = await self._find_newest(run_id)
        differences = await self._resume_points.find_differences(run, newest)
        if differences and not longer.inexact:
            raise NotReady(
                f"The run cannot be continued exactly: {'; '.join(differences)}.",
                next_step="Allow it with --inexact (on the page: Continue even if not exact).",
            )
        at = newest.timestep or 0
        is_solved = run.reason is not None and run.reason.cause == "solved"
        return run, lengthen(config, longer, at=at, progress=run.progress, is_solved=is_solved), at

    async def _find_newest(self, run_id: str) -> Artifact:
        """NotReady if it is not whole: to continue from an older one would drop what was trained after it."""
        whole = await self._checkpoints.find_newest_whole(run_id)
        if whole is None:
            raise NotReady(
                "The run has no whole checkpoint, so there is nothing to continue from.",
                next_step=f"Run it again: rl-lab again {run_id}",
            )
        newest = await self._db.read(lambda conn: artifacts.find_checkpoint(conn, run_id)) or whole
        at, last = whole.timestep or 0, newest.timestep or 0
        if last > at:
            name = await self._resume_points.name_of(whole)
            raise NotReady(
                f"The newest checkpoint, at step {last:,}, is missing, torn or altered, so the run cannot continue.",
                next_step="Start a new run from the newest whole one: "
                f"`rl-lab train --from {run_id}@{name}`; or restore the file.",
            )
        return whole

    def _write(
        self, conn: Connection, run: Run, later: TrainConfig, message: str, choice: ResumeChoice
    ) -> Run | None:
        waits = self._queue.describe_wait(conn, run)
        to, expected = RunStatus.queued, run.status
        if runs.change_status(conn, run.id, expected=expected, to=to, message=waits) is None:
            return None
        runs.put_config(conn, run.id, later)
        resume_choices.put(conn, run.id, choice)
        if run.archived:
            runs.patch(conn, run.id, archived=False)
        total = {"total_timesteps": later.total_timesteps, "fraction": 0.0, "eta_s": None}
        runs.update_progress(conn, run.id, run.progress.model_copy(update=total), run.summary)
        events.append(conn, run.id, event_log.CONTINUED, message)
        # In the transaction: the folder never has an end that the database does not have for long.
        self._folders.find(run.id).write_config(later)
        return runs.get(conn, run.id)


def require_lengthenable(run: Run) -> TrainConfig:
    """Its configuration; MoveRefused with the reason and what can be done instead."""
    if run.source is not None:
        require_adopted_move("continue", run)
    refuse_imported("continue", run)
    config, instead = run.config, NEW_RUN.format(run_id=run.id)
    if not isinstance(config, TrainConfig):
        raise MoveRefused(f"“{run.name}” is not a training, so it cannot be lengthened.", allowed=run.allowed)
    if run.status not in FINAL:
        message = f"A run that is {run.status} cannot be lengthened; it must have ended."
        raise MoveRefused(message, allowed=run.allowed, next_step="Wait for its end, or stop it first.")
    spec = spec_of(config)
    if spec is None or not spec.capabilities.resume or run.is_program:
        name = spec.name if spec else config.runner
        message = f"{name} cannot resume from a checkpoint, so the run “{run.name}” cannot be lengthened."
        raise MoveRefused(message, allowed=run.allowed, next_step=f"Run it again: rl-lab again {run.id}")
    if run.study_id is not None:
        message = (
            f"“{run.name}” belongs to a study, which compares runs of one length; it cannot be lengthened."
        )
        raise MoveRefused(message, allowed=run.allowed, next_step=instead)
    return config
