"""Warm starts: which checkpoint a new training begins with, whether it fits, and its copy in the training's folder.

The folder has its own link to the checkpoint's file, so that the other run may be changed, archived or deleted.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.datasets.fitting import action_kind_of
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import Gone, InvalidInput, LabError, NotFound
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.start_points import START_FILE, START_KIND, StartPoint
from rl_lab.core.runs import Run
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.orchestrator.execution.checkpoints import Checkpoints
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.portable.atomic_files import link_or_copy
from rl_lab.runners.registry import find_spec
from rl_lab.runners.warm_starts import START, network_of, require_network
from rl_lab.store import artifacts, events, runs
from rl_lab.store.datasets.versions import find_contents
from rl_lab.store.files.folders import RunFolder

OTHER = "Choose another checkpoint, or start without one."


class Start(NamedTuple):
    """A checkpoint that a training can begin with."""

    checkpoint: Artifact
    config: TrainConfig
    """Of the run that has the file."""
    name: str


class StartPoints:
    def __init__(self, context: Context, catalogue: Catalogue) -> None:
        self._home = context.home
        self._db = context.db
        self._folders = context.folders
        self._catalogue = catalogue
        self._checkpoints = Checkpoints(context)

    async def complete(self, new: NewRun) -> NewRun:
        """The request with the exact contents it starts from and their network; InvalidInput when they do not fit."""
        if new.start_from is None:
            return new
        found = await self._find(new.start_from)
        spec = find_spec(new.runner)
        actions = await self._find_actions(found.config)
        network = network_of(found.config, spec, spec.algorithm(new.algorithm), actions)
        require_network(new.params, network, found.name)
        await self._require_same_spaces(found, new)
        point = StartPoint(
            run_id=new.start_from.run_id,
            checkpoint=new.start_from.checkpoint or found.checkpoint.id,
            timestep=found.checkpoint.timestep,
            sha256=found.checkpoint.sha256,
        )
        return new.model_copy(update={"start_from": point, "params": {**network, **new.params}})

    async def _find_actions(self, config: TrainConfig) -> str:
        """Their kind, for weights that were learned from a dataset; empty for others, and where it is not known."""
        choice = config.dataset
        if choice is None:
            return ""
        sha256 = choice.sha256 or ""
        version = await self._db.read(lambda conn: find_contents(conn, sha256))
        if version is not None:
            return action_kind_of(version.action_space)
        trained = await self._catalogue.find_approved(config.env_id)
        return trained.action_space_type if trained is not None else ""

    async def place(self, run: Run) -> Artifact | None:
        """Puts the checkpoint into the folder of a new run; None for a run that starts from nothing."""
        point = getattr(run.config, START, None)
        if point is None:
            return None
        found = await self._find(point)
        source = self._folders.find(found.checkpoint.run_id).path / found.checkpoint.path
        size = await asyncio.to_thread(_link, RunFolder(self._home, run.id), source, point.sha256)
        return Artifact(
            id=artifacts.artifact_id(run.id, START_FILE),
            run_id=run.id,
            path=START_FILE,
            kind=START_KIND,
            title="Weights it started with",
            size=size,
            sha256=point.sha256,
            timestep=point.timestep,
            created_at=run.created_at,
        )

    async def _find(self, point: StartPoint) -> Start:
        """The checkpoint in its run; one with a known hash wherever the lab still has it."""
        try:
            return await self._find_in_run(point)
        except (LabError, OSError) as error:
            found = await self._find_by_hash(point.sha256) if point.sha256 else None
            if found is None:
                raise _as_field(error) from None
            return found

    async def _find_in_run(self, point: StartPoint) -> Start:
        run = await self._db.read(lambda conn: runs.get(conn, point.run_id))
        config = _require_own_training(run)
        await self._folders.open(run.id)
        if point.checkpoint is None:
            best = await self._checkpoints.find_best_whole(run.id)
            if best is None:
                raise NotFound(f"The run “{run.name}” has no whole checkpoint.", next_step=OTHER)
            return Start(best, config, run.name)
        checkpoint_id = point.checkpoint
        found = await self._db.read(lambda conn: artifacts.get(conn, checkpoint_id))
        if found.run_id != run.id or found.kind != "checkpoint":
            raise NotFound(f"The run “{run.name}” has no checkpoint “{checkpoint_id}”.", next_step=OTHER)
        if not await asyncio.to_thread(self._checkpoints.is_whole, found):
            message = f"The file of the checkpoint {found.path} of “{run.name}” is missing or was changed."
            raise Gone(message, next_step=OTHER)
        if point.sha256 not in (None, found.sha256):
            raise Gone(
                f"The checkpoint {found.path} of “{run.name}” has been replaced since.", next_step=OTHER
            )
        return Start(found, config, run.name)

    async def _find_by_hash(self, sha256: str) -> Start | None:
        """For a run that is repeated after the run it started from has gone: another run started from the same."""
        kinds = ("checkpoint", START_KIND)
        for artifact in await self._db.read(lambda conn: artifacts.list_by_hash(conn, sha256, kinds)):
            try:
                run = await self._db.read(lambda conn, one=artifact: runs.get(conn, one.run_id))  # type: ignore[misc]
                config = _require_own_training(run)
                await self._folders.open(run.id)
            except (LabError, OSError):
                continue
            if await asyncio.to_thread(self._checkpoints.is_whole, artifact):
                point = config.start_from
                step = point.timestep if artifact.kind == START_KIND and point else artifact.timestep
                return Start(artifact.model_copy(update={"timestep": step}), config, run.name)
        return None

    async def _require_same_spaces(self, found: Start, new: NewRun) -> None:
        """As far as the catalogue knows them; the worker compares the real ones."""
        if new.env_id == found.config.env_id or new.env_kwargs or found.config.env_kwargs:
            return
        trained = await self._catalogue.find_approved(found.config.env_id)
        wanted = await self._catalogue.find_approved(new.env_id)
        if trained is None or wanted is None:
            return
        if (trained.obs_space, trained.action_space) != (wanted.obs_space, wanted.action_space):
            raise InvalidInput.of_field(
                "env_id",
                f"The weights of “{found.name}” are for {trained.id} (observations {trained.obs_space}, actions "
                f"{trained.action_space}); {wanted.id} has observations {wanted.obs_space} and actions "
                f"{wanted.action_space}. Only environments with the same spaces can use them.",
                [trained.id],
            )


def note_start(conn: Connection, run: Run, placed: Artifact | None) -> None:
    """Lists the file that a new run starts with, and logs whose weights they are."""
    point = getattr(run.config, START, None)
    if point is None or placed is None:
        return
    artifacts.upsert(conn, placed)
    name, unit = point.run_id, "step"
    with suppress(NotFound):
        parent = runs.get(conn, point.run_id, include_deleted=True)
        name, unit = parent.name, parent.progress.unit
    message = f"Starts with the weights of “{name}” at {unit} {point.timestep or 0:,}."
    events.append(conn, run.id, event_log.WARM_STARTED, message, data=point.model_dump())


def _require_own_training(run: Run) -> TrainConfig:
    if run.source is not None:
        message = (
            f"The run “{run.name}” was adopted from {run.source.folder}; the lab cannot load its models."
        )
        raise InvalidInput.of_field(START, message)
    if not isinstance(run.config, TrainConfig):
        raise InvalidInput.of_field(START, f"“{run.name}” is not a training, so it has no checkpoints.")
    return run.config


def _as_field(error: LabError | OSError) -> LabError:
    """The refusal as one of the field, so that a form shows it in its place."""
    if isinstance(error, InvalidInput):
        return error
    if isinstance(error, LabError):
        return InvalidInput.of_field(START, f"{error.detail} {error.next_step or OTHER}")
    return InvalidInput.of_field(START, f"The checkpoint cannot be read: {error.strerror}. {OTHER}")


def _link(folder: RunFolder, source: Path, sha256: str) -> int:
    """The size of the file."""
    target = folder.path / START_FILE
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    link_or_copy(source, target)
    with os.fdopen(folder.open_beneath(START_FILE), "rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != sha256:
            raise Gone("The checkpoint was changed while the run was created.", next_step=OTHER)
    return target.stat().st_size
