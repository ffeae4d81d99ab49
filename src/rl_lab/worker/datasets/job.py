"""The job on datasets: does one operation, and leaves complete versions in `dataset/<n>/` of its folder, or nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from rl_lab.core.datasets.operations import (
    CheckDataset,
    CollectDataset,
    DatasetConfig,
    DatasetOperation,
    DatasetResult,
    ExportDataset,
    ImportDataset,
    MakeDataset,
    MergeDataset,
    PruneDataset,
    SplitDataset,
    VerifyDataset,
    new_names,
)
from rl_lab.core.errors import NotReady
from rl_lab.core.evaluations import write_result
from rl_lab.core.words.amounts import plural
from rl_lab.worker.datasets.job_files import EXPORT_FOLDER, FOLDER
from rl_lab.worker.datasets.progress import StoppedEarly, WorkCount
from rl_lab.worker.datasets.statistics import complete_version
from rl_lab.worker.datasets.version_inputs import given_versions, open_versions
from rl_lab.worker.session import Session

IMPORT = "rl_lab.worker.datasets.imports:import_dataset"
EXPORT = "rl_lab.worker.datasets.exports:export_dataset"


def work(session: Session) -> dict[str, Any]:
    config = session.config
    assert isinstance(config, DatasetConfig)
    # What an attempt before this one has left.
    _remove(session)
    try:
        return write_result(_do(session, config.operation))
    except StoppedEarly:
        _remove(session)
        return {}
    except BaseException:
        _remove(session)
        raise


def _do(session: Session, operation: DatasetOperation) -> DatasetResult:
    if isinstance(operation, CheckDataset):
        return _check(session)
    if isinstance(operation, VerifyDataset):
        return _verify(session)
    if isinstance(operation, ExportDataset):
        return _export(session, operation)
    folders = [session.files_dir / FOLDER / str(n) for n in range(len(new_names(operation)))]
    _write(session, operation, folders)
    return _describe(session, operation, folders)


def _write(session: Session, operation: DatasetOperation, folders: list[Path]) -> None:
    """Import and export load libraries of their own, so every operation is loaded when it is needed."""
    if isinstance(operation, MakeDataset):
        from rl_lab.worker.datasets.making import make

        make(session, operation, folders[0])
    elif isinstance(operation, CollectDataset):
        from rl_lab.worker.datasets.collecting import collect

        collect(session, operation, folders[0])
    elif isinstance(operation, ImportDataset):
        _load(IMPORT)(session, operation, folders[0])
    else:
        _select(session, operation, folders)


def _select(session: Session, operation: DatasetOperation, folders: list[Path]) -> None:
    from rl_lab.worker.datasets import selecting

    _require_intact(session)
    if isinstance(operation, SplitDataset):
        selecting.split(session, operation, folders)
    elif isinstance(operation, MergeDataset):
        selecting.merge(session, operation, folders[0])
    elif isinstance(operation, PruneDataset):
        selecting.prune(session, operation, folders[0])


def _describe(session: Session, operation: DatasetOperation, folders: list[Path]) -> DatasetResult:
    made = [complete_version(folder) for folder in folders]
    session.timestep = episodes = sum(len(one) for one in made)
    transitions = sum(one.manifest.transitions for one in made)
    return DatasetResult(
        do=operation.do,
        message=f"{plural(episodes, 'episode')} with {plural(transitions, 'step')}.",
        episodes=episodes,
        transitions=transitions,
        notes=[note for one in made for note in one.manifest.notes],
    )


def _require_intact(session: Session) -> None:
    """What is made of a damaged version would carry checksums that fit, and look intact."""
    from rl_lab.worker.datasets.checking import check

    for version in given_versions(session):
        found = check(session, version)
        if found.integrity != "intact":
            raise NotReady(
                f"{version} is {found.integrity}: {found.message}",
                cause="dataset-damaged",
                next_step=f"Put the file back and run `rl-lab datasets check {version}`, or import or make the dataset "
                "again.",
            )


def _check(session: Session) -> DatasetResult:
    from rl_lab.worker.datasets.checking import check

    [version] = given_versions(session)
    found = check(session, version)
    return DatasetResult(
        do="check",
        message=f"{version} is {found.integrity}. {found.message}".strip(),
        integrity=found.integrity,
        integrity_message=found.message,
    )


def _verify(session: Session) -> DatasetResult:
    from rl_lab.worker.datasets.verifying import verify

    [dataset] = open_versions(session)
    found = verify(dataset, WorkCount(session, int((dataset.seeds >= 0).sum())))
    return DatasetResult(
        do="verify",
        message=found.message,
        verification=found,
        episodes=found.checked,
        transitions=int(dataset.lengths[dataset.seeds >= 0][: found.checked].sum()),
    )


def _export(session: Session, operation: ExportDataset) -> DatasetResult:
    _require_intact(session)
    [version] = given_versions(session)
    output = session.files_dir / EXPORT_FOLDER
    output.mkdir(parents=True)
    made: Path = _load(EXPORT)(session, operation, version.folder, output)
    path = str(made.relative_to(session.run_dir))
    session.telemetry.artifact(
        path=path, kind="export", title=f"{version} as {operation.format}", size=made.stat().st_size
    )
    return DatasetResult(do="export", message=f"{version} was written as {operation.format}.", artifact=path)


def _load(import_string: str) -> Callable[..., Any]:
    module, _, name = import_string.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found


def _remove(session: Session) -> None:
    for name in (FOLDER, EXPORT_FOLDER):
        shutil.rmtree(session.files_dir / name, ignore_errors=True)
