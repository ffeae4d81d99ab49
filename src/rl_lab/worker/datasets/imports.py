"""Imports a file or folder of another tool, a dataset of Minari's server, or the replay buffer of a run."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from rl_lab.core.datasets.operations import ImportDataset
from rl_lab.core.errors import InvalidInput, LabError
from rl_lab.worker.datasets.formats.buffers import open_buffer
from rl_lab.worker.datasets.formats.recognise import main_file, open_source
from rl_lab.worker.datasets.intake.checksums import Checksum
from rl_lab.worker.datasets.intake.file_spaces import environment_spaces, fit_environment
from rl_lab.worker.datasets.intake.taking_in import ImportPlan, take_in
from rl_lab.worker.datasets.progress import StoppedEarly, WorkCount
from rl_lab.worker.session import Session


def import_dataset(session: Session, operation: ImportDataset, folder: Path) -> None:
    """Inputs of the job: `path` of what to read, or where to download to, or `buffer`; and what it is called."""
    inputs = session.job.inputs
    plan = ImportPlan(
        label=str(inputs["label"]),
        env_id=operation.env_id,
        sha256=operation.sha256,
        source=operation.source,
        licence=operation.licence,
        allowed_bytes=inputs.get("allowed_bytes"),
    )
    if operation.buffer_of is not None:
        _import_buffer(session, inputs, plan, folder)
    elif operation.minari is not None:
        _import_minari(session, operation, plan, folder)
    else:
        _import_file(session, operation, plan, folder, Path(inputs["path"]))


def _import_file(
    session: Session, operation: ImportDataset, plan: ImportPlan, folder: Path, path: Path
) -> None:
    source = open_source(path, operation.format)
    progress = WorkCount(session, source.total, source.unit)
    with Checksum(main_file(path)) as checksum:
        take_in(source, folder, plan, checksum, progress.reach)


def _import_minari(session: Session, operation: ImportDataset, plan: ImportPlan, folder: Path) -> None:
    """What has arrived is kept when the connection breaks, and removed when the import ended or was stopped."""
    from rl_lab.worker.datasets.downloads import download_minari

    place, name = Path(session.job.inputs["path"]), str(operation.minari)
    plan.source = plan.source or f"Minari: {name}"
    try:
        path = download_minari(session, name, place, plan.allowed_bytes)
        _import_file(session, operation, plan, folder, path)
    except StoppedEarly:
        shutil.rmtree(place, ignore_errors=True)
        raise
    shutil.rmtree(place, ignore_errors=True)


def _import_buffer(session: Session, inputs: dict[str, Any], plan: ImportPlan, folder: Path) -> None:
    """Wrappers of the learner may have changed the spaces: then those of the numbers count."""
    env_id, env_kwargs = inputs["buffer"]["env_id"], inputs["buffer"]["env_kwargs"]
    try:
        spaces = environment_spaces(env_id, env_kwargs)
    except (LabError, ImportError):
        spaces = None
    source = open_buffer(inputs["buffer"], spaces[1] if spaces else None)
    source.env_id, source.env_kwargs = env_id, env_kwargs
    plan.env_id, plan.run_id = None, inputs["buffer"]["run_id"]
    if spaces is not None:
        try:
            fit_environment(source, env_id, spaces)
        except InvalidInput as problem:
            source.notes.append(f"The learner saw other spaces than the environment has: {problem.detail}")
    take_in(source, folder, plan, None, WorkCount(session, source.total, source.unit).reach)
