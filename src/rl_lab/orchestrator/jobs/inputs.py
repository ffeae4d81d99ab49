"""What the worker of a queued run needs besides its config; jobs are prepared again just before they start."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.errors import Gone
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.start_points import START_FILE
from rl_lab.core.own_environments import executes_own_code
from rl_lab.core.recordings import Recording
from rl_lab.core.runs import Run
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.execution.dataset_files import DatasetFiles
from rl_lab.orchestrator.execution.launcher import Inputs
from rl_lab.orchestrator.jobs.checkpoint_links import FOLDER, link_checkpoints
from rl_lab.orchestrator.jobs.rules import PreparedJob, find_rules
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.looking import join_rights
from rl_lab.runners.foreign import FILES, OWN_FOLDERS, SCRATCH
from rl_lab.store.files.folders import RunFolder

CHOICES = 2
"""A training seldom replaces its best checkpoint twice while a job is prepared."""
RECORDINGS_FILE = "recordings.msgpack"


async def find_inputs(sources: Sources, run: Run) -> Inputs:
    """The environment and the inputs of a run."""
    config = run.config
    if isinstance(config, TrainConfig):
        start = {"start": start_file(sources.home, run.id)} if config.start_from else {}
        reward = await sources.find_reward(run.id, config)
        rights = await _training_rights(sources, run.id, config)
        folder = {} if rights is None else {"folder": FILES, "frames": SCRATCH}
        inputs = {**start, **reward, **folder}
        return Inputs(config.env_id, inputs, config.env_kwargs, rights, config.dataset)
    job, inputs = await _prepare(sources, run)
    # A job that trains again needs the code: its own rules have asked for it.
    if job.parent_id is not None:
        inputs = {**await sources.rewards.find_behind(job.parent_id), **inputs}
    if job.recordings:
        inputs["recordings"] = await _write_recordings(sources.home, run.id, job.recordings)
    for name, make in job.attachments.items():
        inputs[name] = await asyncio.to_thread(_attach, RunFolder(sources.home, run.id), name, make)
    for name, write in job.streams.items():
        inputs[name] = await asyncio.to_thread(_stream, RunFolder(sources.home, run.id), name, write)
    rights = await _find_rights(sources, run.id, job)
    if rights is not None:
        inputs["folder"] = FILES
    return Inputs(job.env_id, inputs, dict(job.env_kwargs), rights, job.dataset)


def start_file(home: Path, run_id: str) -> str:
    """Where a training has the weights that it starts with."""
    return str(RunFolder(home, run_id).path / START_FILE)


async def _prepare(sources: Sources, run: Run) -> tuple[PreparedJob, dict[str, Any]]:
    """The job, and its inputs with checkpoints of its own; chosen again when a training replaced one meanwhile."""
    folder, prepare = RunFolder(sources.home, run.id), find_rules(run.kind).prepare
    for _ in range(CHOICES):
        job = await prepare(sources, run.config)
        with suppress(Gone):
            return job, await asyncio.to_thread(link_checkpoints, folder, job.inputs)
    job = await prepare(sources, run.config)
    return job, await asyncio.to_thread(link_checkpoints, folder, job.inputs)


async def _training_rights(sources: Sources, run_id: str, config: TrainConfig) -> Confinement | None:
    """What a training may use whose environment is the user's own code; None for every other."""
    if not executes_own_code(config.env_id, config.env_kwargs):
        return None
    rights = await sources.looking.rights()
    folder = RunFolder(sources.home, run_id).path
    return rights._replace(
        reads=[*rights.reads, str(folder), *await _read_version(sources, config.dataset)],
        writes=[str(folder / name) for name in OWN_FOLDERS],
    )


async def _read_version(sources: Sources, choice: DatasetChoice | None) -> list[str]:
    """The folder of the version that is learned from: no other dataset may be read."""
    folder = await DatasetFiles(sources.context).find_folder(choice)
    return [str(folder)] if folder is not None else []


async def _find_rights(sources: Sources, run_id: str, job: PreparedJob) -> Confinement | None:
    """What a job may use that looks at a run of foreign code: it writes to two folders of its own run; else None."""
    rights = await _looking_rights(sources, job)
    if rights is None:
        return None
    folder = RunFolder(sources.home, run_id).path
    reads = [*rights.reads, *job.reads, str(folder), *await _read_version(sources, job.dataset)]
    return rights._replace(
        reads=reads,
        writes=[*job.writes, *(str(folder / name) for name in (FILES, SCRATCH))],
        network=job.network,
        file_bytes=rights.file_bytes if job.largest_file is None else job.largest_file,
    )


async def _looking_rights(sources: Sources, job: PreparedJob) -> Confinement | None:
    seen_runs = [job.parent_id, *job.looks_at, *(recording.run_id for recording in job.recordings)]
    found = [await sources.looking.find_rights(seen) for seen in dict.fromkeys(filter(None, seen_runs))]
    joined = join_rights([rights for rights in found if rights is not None])
    return await sources.looking.rights() if joined is None and job.is_foreign else joined


def _attach(folder: RunFolder, name: str, make: Callable[[], bytes]) -> str:
    """With the linked checkpoints, which are removed when the job has ended."""
    path = f"{FOLDER}/{name}"
    folder.write_atomic(path, make())
    return str(folder.path / path)


def _stream(folder: RunFolder, name: str, write: Callable[[BinaryIO], None]) -> str:
    path = f"{FOLDER}/{name}"
    with folder.creating(path) as fd, os.fdopen(fd, "wb", closefd=False) as file:
        write(file)
    return str(folder.path / path)


async def _write_recordings(home: Path, run_id: str, recordings: Sequence[Recording]) -> str:
    folder = RunFolder(home, run_id)
    data = msgspec.msgpack.encode(recordings)
    await asyncio.to_thread(folder.write_atomic, RECORDINGS_FILE, data)
    return str(folder.path / RECORDINGS_FILE)
