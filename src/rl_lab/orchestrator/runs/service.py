"""Runs: create, move, rename, archive, delete and restore. Reading is in `queries.py`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.commands import CommandPreview
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import Gone, MoveRefused
from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.resuming import ResumeChoice
from rl_lab.core.run_events import EventType
from rl_lab.core.runs import LIVE, Move, Run, RunStatus
from rl_lab.core.words.run_names import training_name
from rl_lab.core.workbench.codes import CodeCheck
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.service import Environments
from rl_lab.orchestrator.execution.service import Execution
from rl_lab.orchestrator.foreign.commands import NEW_RUN, run_paths
from rl_lab.orchestrator.foreign.service import Foreign
from rl_lab.orchestrator.housekeeping.service import Housekeeping
from rl_lab.orchestrator.runs.creation import create_folder, new_run
from rl_lab.orchestrator.runs.estimates import Estimates
from rl_lab.orchestrator.runs.learned_datasets import LearnedDatasets
from rl_lab.orchestrator.runs.lengthening import LongerRuns
from rl_lab.orchestrator.runs.moves import Moves
from rl_lab.orchestrator.runs.own_code import OwnCode
from rl_lab.orchestrator.runs.own_rewards import OwnRewards
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.orchestrator.runs.requests import Again, NewRun, RunPatch, repeat_of, train_config
from rl_lab.orchestrator.runs.reward_checks import RewardChecks
from rl_lab.orchestrator.runs.run_episodes import RunEpisodes
from rl_lab.orchestrator.runs.run_protocols import require_its_environment, with_exact_protocol
from rl_lab.orchestrator.runs.saved_views import SavedViews
from rl_lab.orchestrator.runs.script_roles import ScriptRoles
from rl_lab.orchestrator.runs.start_points import StartPoints, note_start
from rl_lab.runners.registry import find_spec
from rl_lab.store import events, queue, runs

JOB_PRIORITY = 10
"""Jobs that a user asked for come before the automatic evaluations, which have priority 0."""


class Runs:
    def __init__(
        self,
        context: Context,
        *,
        environments: Environments,
        foreign: Foreign,
        execution: Execution,
        housekeeping: Housekeeping,
        queries: RunQueries,
        stop_following: Callable[[Run], Awaitable[Run]],
    ) -> None:
        """`stop_following` ends the following of an adopted run."""
        self._context = context
        self._db = context.db
        self._changes = context.changes
        self._catalogue = environments.catalogue
        self._foreign = foreign
        self._preflight = execution.preflight
        self._housekeeping = housekeeping
        self._queue = execution.queue
        self.roles = ScriptRoles(context, execution)
        self.episodes = RunEpisodes(context, queries)
        self.views = SavedViews(context)
        self.estimates = Estimates(context)
        self.datasets = LearnedDatasets(context, environments.catalogue)
        self.starts = StartPoints(context, environments.catalogue)
        self.rewards = OwnRewards(context)
        self._reward_checks = RewardChecks(context, environments.trials, self.estimates)
        self._own_code = OwnCode(context)
        self._moves = Moves(
            context,
            execution.supervisor,
            check=execution.preflight.check,
            require_resumable=execution.resume_points.require,
            queue=execution.queue,
            stop_following=stop_following,
        )
        self.longer = LongerRuns(context, check=execution.preflight.check, queue=execution.queue)

    async def create(self, new: NewRun) -> Run:
        """A training, every field checked; queued at once with `start`."""
        config = await self.complete(new)
        warnings = await self.check_new(config, new.consent, start=new.start)
        name = new.name or training_name(config, find_spec(config.runner).algorithm(config.algorithm))
        run = new_run(config, name=name, tags=new.tags, priority=new.priority)
        notes = [(event_log.REWARD_WARNING, warning) for warning in warnings]
        if new.env_id and config.env_id != new.env_id:
            renamed = f"{new.env_id} is now called {config.env_id}; this run uses the new name."
            notes.append((event_log.ENVIRONMENT_RENAMED, renamed))
        created = await self._insert(run, notes)
        return await self._moves.enqueue(created) if new.start else created

    async def again(self, run_id: str, how: Again) -> Run:
        """The same training once more, as a new run."""
        run = await self._db.read(lambda conn: runs.get(conn, run_id))
        return await self.create(repeat_of(run, how))

    async def create_job(
        self,
        config: JobConfig,
        *,
        name: str,
        parent_id: str | None = None,
        start: bool = True,
    ) -> Run:
        """A run of another kind (evaluate, fork, duel, film)."""
        is_automatic = isinstance(config, EvaluateConfig) and config.after_training
        priority = 0 if is_automatic else JOB_PRIORITY
        run = new_run(config, name=name, parent_id=parent_id, priority=priority)
        created = await self._insert(run, [])
        return await self.move(created.id, "start") if start else created

    async def preview_command(self, new: NewRun) -> CommandPreview:
        """What a foreign run would execute; nothing runs."""
        return await self._foreign.commands.preview(await self.complete(new))

    async def move(self, run_id: str, move: Move, *, force: bool = False) -> Run:
        """Start, stop, pause or resume; see `Moves`."""
        return await self._moves.move(run_id, move, force=force)

    async def resume(self, run_id: str, choice: ResumeChoice) -> Run:
        """Continues a paused run, or an ended one from the checkpoint that the user chose."""
        return await self._moves.move(run_id, "resume", choice=choice)

    async def patch(self, run_id: str, patch: RunPatch) -> Run:
        """Changes labels. The janitor packs an archived run, and it is unpacked when it is read."""
        if patch.archived:
            await self._stop_if_idle(run_id)
        fields = {name: value for name, value in patch.model_dump().items() if value is not None}
        changed = await self._db.write(lambda conn: _patch(conn, run_id, fields))
        self._changes.run_changed(changed)
        if patch.priority is not None:
            self._queue.note_change()
        if patch.archived is not None:
            self._housekeeping.archiving_decided(run_id)
        return changed

    async def delete(self, run_id: str) -> Run:
        """Hidden now, removed for good after the undo time. A live run must be stopped first."""
        await self._stop_if_idle(run_id)
        changed = await self._db.write(lambda conn: _delete(conn, run_id))
        self._changes.run_changed(changed)
        self._housekeeping.janitor.wake()
        return changed

    async def _stop_if_idle(self, run_id: str) -> None:
        """Ends what no process works on: a run that waits leaves the queue, a followed one is no longer followed."""
        run = await self._db.read(lambda conn: runs.get(conn, run_id))
        if run.status is RunStatus.queued or run.status is RunStatus.followed:
            await self._moves.move(run_id, "stop")

    async def restore(self, run_id: str) -> Run:
        run = await self._db.read(lambda conn: runs.get(conn, run_id, include_deleted=True))
        if run.deleted_at is None:
            return run
        if datetime.now(UTC) - run.deleted_at > timedelta(seconds=self._context.settings.undo_s):
            raise Gone(f"The time to restore the run “{run.name}” is over.")
        changed = await self._db.write(lambda conn: runs.patch(conn, run_id, deleted_at=None))
        self._changes.run_changed(changed)
        return changed

    async def check_new(self, config: TrainConfig, consent: str | None, *, start: bool) -> list[str]:
        """Raises when foreign code is not approved, or when a start could only fail; warnings about its reward."""
        await self._require_consent(config, consent)
        if start:
            await self._preflight.check_new(config)
        return await self._reward_checks.require_usable(config)

    async def check_reward(self, new: NewRun) -> CodeCheck:
        """What the reward of a training does in its environment and costs of its speed, before it is created."""
        config = await self.complete(new)
        await self._require_consent(config, new.consent)
        return await self._reward_checks.find(config)

    async def complete(self, new: NewRun) -> TrainConfig:
        """The whole configuration of a new run; raises InvalidInput with every wrong field."""
        new = await self.datasets.complete(await self.starts.complete(new))
        new = await self._own_code.complete(await self.rewards.complete(new))
        new = await with_exact_protocol(self._db, new)
        spec = find_spec(new.runner)
        if spec.capabilities.own_environment:
            return train_config(new, spec, [])
        await self._own_code.require_consent(new, new.consent)  # to describe it executes its code
        unlisted = spec.capabilities.foreign
        known = await self._catalogue.environments_for(new.env_id, unlisted=unlisted)
        config = train_config(new, spec, known)
        await require_its_environment(self._db, config)
        return await self.estimates.with_expected_steps(config, new)

    async def place_files(self, run: Run) -> Artifact | None:
        """Puts what a new run starts with into its folder: the user's code, and weights, which are listed."""
        await self.rewards.place(run)
        await self._own_code.place(run)
        return await self.starts.place(run)

    async def _require_consent(self, config: TrainConfig, given: str | None) -> None:
        await self.rewards.require_consent(config, given)
        await self._own_code.require_consent(config, given)
        place = run_paths(self._context.home, NEW_RUN)
        found = await self._foreign.commands.resolve(config, place)
        if found is not None:
            await self._foreign.consents.require(found, given)

    async def _insert(self, run: Run, notes: list[tuple[EventType, str]]) -> Run:
        """The folder before the row: a crash in between leaves an empty folder, never a run without one."""
        await asyncio.to_thread(create_folder, self._context.home, run)
        placed = await self.place_files(run)

        def work(conn: Connection) -> Run:
            created = runs.insert(conn, run)
            note_start(conn, run, placed)
            for what, note in notes:
                events.append(conn, run.id, what, note)
            return created

        created = await self._db.write(work)
        self._changes.run_changed(created)
        return created


def _patch(conn: Connection, run_id: str, fields: dict[str, Any]) -> Run:
    run = runs.get(conn, run_id)
    if fields.get("archived"):
        _require_at_rest(run, "archived")
    if "priority" in fields and run.status is RunStatus.queued:
        queue.put_priority(conn, [run_id], fields["priority"])
    return runs.patch(conn, run_id, **fields)


def _delete(conn: Connection, run_id: str) -> Run:
    _require_at_rest(runs.get(conn, run_id), "deleted")
    return runs.patch(conn, run_id, deleted_at=datetime.now(UTC))


def _require_at_rest(run: Run, change: str) -> None:
    """Checked in the transaction of the change: a run that was just started keeps its folder."""
    if run.status in LIVE or run.status is RunStatus.queued:
        raise MoveRefused(
            f"A run that is {run.status} cannot be {change}.", next_step="Stop it first.", allowed=run.allowed
        )
