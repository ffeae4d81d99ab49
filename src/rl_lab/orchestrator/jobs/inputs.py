"""What the worker of a queued run needs besides its config; jobs are prepared again just before they start."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from rl_lab.core.episodes import Recording
from rl_lab.core.jobs import TrainConfig
from rl_lab.core.runs import Run
from rl_lab.orchestrator.execution.launcher import Inputs
from rl_lab.orchestrator.jobs.rules import find_rules
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.store.files.folders import RunFolder

RECORDINGS_FILE = "recordings.msgpack"


async def find_inputs(sources: Sources, run: Run) -> Inputs:
    """The environment and the inputs of a run."""
    config = run.config
    if isinstance(config, TrainConfig):
        return Inputs(config.env_id, {}, config.env_kwargs)
    job = await find_rules(run.kind).prepare(sources, config)
    inputs = dict(job.inputs)
    if job.recordings:
        inputs["recordings"] = await _write_recordings(sources.home, run.id, job.recordings)
    return Inputs(job.env_id, inputs, dict(job.env_kwargs))


async def _write_recordings(home: Path, run_id: str, recordings: Sequence[Recording]) -> str:
    folder = RunFolder(home, run_id)
    data = msgspec.msgpack.encode(recordings)
    await asyncio.to_thread(folder.write_atomic, RECORDINGS_FILE, data)
    return str(folder.path / RECORDINGS_FILE)
