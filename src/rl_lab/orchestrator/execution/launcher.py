"""The Launcher starts the next attempt of a queued run: pre-flight, resume point, job.json, launch.json, guardian."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from rl_lab.core import event_log
from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.job_file import Job
from rl_lab.core.runs import Run
from rl_lab.guardian.files import Confinement, Launch, OutputLimits
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.service import Environments
from rl_lab.orchestrator.execution.dataset_contents import DatasetContents
from rl_lab.orchestrator.execution.guardians import DETERMINISTIC, deterministic_variables, launch_of
from rl_lab.orchestrator.execution.preflight import Preflight
from rl_lab.orchestrator.execution.resume_points import ResumePoints
from rl_lab.orchestrator.execution.supervisor import Supervisor
from rl_lab.orchestrator.foreign.commands import Commands, Resolved, make_folders, run_paths
from rl_lab.orchestrator.foreign.process_variables import cache_folders
from rl_lab.orchestrator.home import boot_id
from rl_lab.runners.registry import makes_environment
from rl_lab.store import events, resume_choices
from rl_lab.store.attempts import Attempt
from rl_lab.store.files.attempt_folder import AttemptFolder

MARKERS = ("RL_LAB_ATTEMPT", "CUDA_VISIBLE_DEVICES")


class Inputs(NamedTuple):
    """What a worker needs besides its config."""

    env_id: str | None
    inputs: dict[str, Any]
    env_kwargs: dict[str, Any]
    confine: Confinement | None = None
    """What a job may use that looks at a run of foreign code; None for the lab's own."""
    dataset: DatasetChoice | None = None
    """What a training learns from, also one that is repeated."""


InputsOf = Callable[[Run], Awaitable[Inputs]]


class Launcher:
    def __init__(
        self,
        context: Context,
        supervisor: Supervisor,
        *,
        preflight: Preflight,
        datasets: DatasetContents,
        resume_points: ResumePoints,
        environments: Environments,
        commands: Commands,
        inputs_of: InputsOf,
        log_bytes: Callable[[], int],
    ) -> None:
        self._context = context
        self._supervisor = supervisor
        self._preflight = preflight
        self._datasets = datasets
        self._resume_points = resume_points
        self._environments = environments
        self._commands = commands
        self._inputs_of = inputs_of
        self._log_bytes = log_bytes

    async def start(self, run: Run) -> None:
        """Starts the next attempt of a queued run; NotReady when it cannot start or has nothing to resume from.

        StillComparing, before anything has changed, when it is not known yet whether its dataset is intact.
        """
        command = await self._preflight.check(run)
        resumed = await self._resume_points.find(run)
        row = _next_attempt(run, resumed)
        if resumed is not None:
            episodes = await asyncio.to_thread(self._resume_points.episodes_until, run.id, row.timestep0)
            row = replace(row, episode0=episodes)
        attempt = AttemptFolder(self._context.folders.find(run.id).path, row.number)
        inputs = await self._inputs_of(run)
        dataset = await self._datasets.find_folder(run.id, inputs.dataset)
        job = await self._job(run, row, inputs, command.job_inputs if command else {})
        job = job.model_copy(update={"dataset_dir": dataset})
        if resumed is not None:
            job = job.model_copy(update=await self._resume_fields(run, resumed))
        launch = await self._launch(run, attempt, command, inputs.confine)
        await asyncio.to_thread(attempt.prepare, job.model_dump(mode="json"), launch)
        isolation = launch.confine.level if launch.confine else None
        await self._supervisor.launch(run, attempt, row, isolation=isolation)
        if command is not None and deterministic_variables(run.config):
            await self._report_determinism(run.id, row.number)

    async def _resume_fields(self, run: Run, resumed: Artifact) -> dict[str, Any]:
        choice = await self._context.db.read(lambda conn: resume_choices.find(conn, run.id))
        differences = await self._resume_points.find_differences(run, resumed) if choice.inexact else []
        return {
            "resume_sha256": resumed.sha256,
            "inexact": choice.inexact,
            "resume_differences": differences,
            "kept": await self._resume_points.list_kept(run.id, resumed.timestep or 0),
        }

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
        if own.env is None:
            return own
        if command is not None:
            marker = {name: own.env[name] for name in MARKERS if name in own.env}
            marker |= deterministic_variables(run.config)
            return await self._commands.launch(own, command, paths, marker)
        if confine is None:
            return own
        await asyncio.to_thread(make_folders, paths.run_dir)
        return own._replace(env={**own.env, **cache_folders(paths.run_dir)}, confine=confine)

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


def _next_attempt(run: Run, resumed: Artifact | None) -> Attempt:
    """From the checkpoint, or from the beginning."""
    row = Attempt(run.id, run.attempt + 1, datetime.now(UTC), boot_id=boot_id())
    return row if resumed is None else replace(row, resume_from=resumed.path, timestep0=resumed.timestep or 0)
