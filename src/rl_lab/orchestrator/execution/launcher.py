"""The Launcher starts the next attempt of a queued run: pre-flight, resume point, job.json, launch.json, guardian."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from rl_lab.core import event_log
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import NotReady
from rl_lab.core.job_file import Job
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run
from rl_lab.guardian.files import Confinement, Launch, OutputLimits
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.service import Environments
from rl_lab.orchestrator.execution.checkpoints import Checkpoints
from rl_lab.orchestrator.execution.guardians import DETERMINISTIC, deterministic_variables, launch_of
from rl_lab.orchestrator.execution.preflight import Preflight
from rl_lab.orchestrator.execution.supervisor import Supervisor
from rl_lab.orchestrator.foreign.commands import Commands, Resolved, make_folders, run_paths
from rl_lab.orchestrator.foreign.process_variables import cache_folders
from rl_lab.orchestrator.home import boot_id
from rl_lab.runners.registry import load_runner, makes_environment
from rl_lab.store import events
from rl_lab.store.attempts import Attempt
from rl_lab.store.files.attempt_folder import AttemptFolder
from rl_lab.store.telemetry import TelemetryReader

MARKERS = ("RL_LAB_ATTEMPT", "CUDA_VISIBLE_DEVICES")


class Inputs(NamedTuple):
    """What a worker needs besides its config."""

    env_id: str | None
    inputs: dict[str, Any]
    env_kwargs: dict[str, Any]
    confine: Confinement | None = None
    """What a job may use that looks at a run of foreign code; None for the lab's own."""


InputsOf = Callable[[Run], Awaitable[Inputs]]


class Launcher:
    def __init__(
        self,
        context: Context,
        supervisor: Supervisor,
        *,
        preflight: Preflight,
        checkpoints: Checkpoints,
        environments: Environments,
        commands: Commands,
        inputs_of: InputsOf,
        log_bytes: Callable[[], int],
    ) -> None:
        self._context = context
        self._supervisor = supervisor
        self._preflight = preflight
        self._checkpoints = checkpoints
        self._environments = environments
        self._commands = commands
        self._inputs_of = inputs_of
        self._log_bytes = log_bytes

    async def start(self, run: Run) -> None:
        """Starts the next attempt of a queued run; NotReady when it cannot start or has nothing to resume from."""
        command = await self._preflight.check(run)
        resumed = await self._resume_point(run) if run.attempt > 0 else None
        row = await asyncio.to_thread(self._next_attempt, run, resumed)
        attempt = AttemptFolder(self._context.folders.find(run.id).path, row.number)
        inputs = await self._inputs_of(run)
        job = await self._job(run, row, inputs, command.job_inputs if command else {})
        job = job.model_copy(update={"resume_sha256": resumed.sha256 if resumed else None})
        launch = await self._launch(run, attempt, command, inputs.confine)
        await asyncio.to_thread(attempt.prepare, job.model_dump(mode="json"), launch)
        isolation = launch.confine.level if launch.confine else None
        await self._supervisor.launch(run, attempt, row, isolation=isolation)
        if command is not None and deterministic_variables(run.config):
            await self._report_determinism(run.id, row.number)

    async def require_resumable(self, run: Run) -> None:
        """Raises NotReady when a resume could only fail."""
        if run.attempt > 0:
            await self._resume_point(run)

    async def _launch(
        self, run: Run, attempt: AttemptFolder, command: Resolved | None, confine: Confinement | None
    ) -> Launch:
        """launch.json; a foreign run has its own command, folder and variables, and is confined.

        A job that looks at such a run executes the lab's own worker, confined.
        """
        own = launch_of(run, attempt, self._context.settings)
        # The guardian keeps two files, the current and the one before.
        own = own._replace(limits=OutputLimits(log_bytes=self._log_bytes() // 2))
        paths = run_paths(self._context.home, run.id, attempt.number)
        if own.env is not None and confine is not None:
            await asyncio.to_thread(make_folders, paths.run_dir)
            return own._replace(env={**own.env, **cache_folders(paths.run_dir)}, confine=confine)
        if command is None or own.env is None:
            return own
        marker = {name: own.env[name] for name in MARKERS if name in own.env}
        marker |= deterministic_variables(run.config)
        return await self._commands.launch(own, command, paths, marker)

    async def _report_determinism(self, run_id: str, attempt: int) -> None:
        """The lab changes no script: it says what it has set, and what only the script itself can do."""
        names = ", ".join(f"{name}={value}" for name, value in DETERMINISTIC.items())
        message = (
            f"Deterministic as far as variables go: {names}. Seeds of random, numpy and torch, and "
            "torch.use_deterministic_algorithms(True), are up to the script."
        )
        type = event_log.DETERMINISTIC
        await self._context.db.write(lambda conn: events.append(conn, run_id, type, message, attempt=attempt))
        self._context.changes.events_written()

    async def _resume_point(self, run: Run) -> Artifact | None:
        if not isinstance(run.config, TrainConfig):
            return None  # short jobs start over
        runner = load_runner(run.config.runner)
        if not runner.spec.capabilities.resume:
            raise NotReady(
                f"{runner.spec.name} cannot resume from a checkpoint.",
                next_step="Start a new run with the same settings.",
            )
        newest = await self._checkpoints.find_newest_whole(run.id)
        if newest is None:
            raise NotReady(
                "No checkpoint was saved, so there is nothing to resume from.",
                next_step="Start a new run with the same settings.",
            )
        return newest

    async def _job(self, run: Run, row: Attempt, inputs: Inputs, of_command: dict[str, Any]) -> Job:
        """The content of job.json."""
        # A script makes its own environment; the id the user gave is a label, so its start needs no catalogue.
        is_known = bool(inputs.env_id) and not makes_environment(run.config)
        env = await self._environments.catalogue.environment(inputs.env_id or "") if is_known else None
        exact = await self._environments.repeatability.expect(env, inputs.env_kwargs, inputs.confine)
        return Job(
            run_id=run.id,
            attempt=row.number,
            kind=run.kind,
            config=run.config,
            run_dir=self._context.folders.find(run.id).path,
            resume_from=row.resume_from,
            timestep0=row.timestep0,
            episode0=row.episode0,
            seconds0=run.progress.elapsed_s,
            env=env,
            inputs={**inputs.inputs, "exact": exact, **of_command},
        )

    def _next_attempt(self, run: Run, resumed: Artifact | None) -> Attempt:
        """From the checkpoint, or from the beginning. Blocks."""
        row = Attempt(run.id, run.attempt + 1, datetime.now(UTC), boot_id=boot_id())
        if resumed is None:
            return row
        step, episodes = resumed.timestep or 0, 0
        path = self._context.folders.find(run.id).telemetry
        if path.exists():
            # Not those of the run so far: a worker that was killed has reported more than the checkpoint knows.
            with closing(TelemetryReader(path, run.id)) as telemetry:
                episodes = telemetry.episodes_until(step)
        return replace(row, resume_from=resumed.path, timestep0=step, episode0=episodes)
