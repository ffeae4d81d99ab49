"""Writes a version in another tool's format, and reads it back before it is offered."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

from rl_lab.core.datasets.formats import ExportFormat
from rl_lab.core.datasets.operations import ExportDataset
from rl_lab.core.errors import WorkerFailed
from rl_lab.worker.datasets.formats.minari_writer import minari_id, write_minari
from rl_lab.worker.datasets.formats.parquet_writers import write_steps, write_trajectories
from rl_lab.worker.datasets.formats.recognise import open_source
from rl_lab.worker.datasets.formats.step_parts import Report
from rl_lab.worker.datasets.formats.table_writers import write_hdf5, write_npz
from rl_lab.worker.datasets.intake.forecast import require_space
from rl_lab.worker.datasets.progress import WorkCount
from rl_lab.worker.datasets.reading import OpenDataset, open_dataset
from rl_lab.worker.session import Session

BLOCK = 1 << 20
EXPANSION = {"minari": 2.2, "parquet": 2.0, "trajectories": 1.1, "hdf5": 2.0, "npz": 2.0}
"""Bytes that a format takes at most for one of the dataset: most hold each observation twice; Minari's is packed."""
Writer = Callable[[OpenDataset, Path, Report], None]
WRITERS: dict[ExportFormat, tuple[str, Writer]] = {
    "parquet": (".parquet", write_steps),
    "trajectories": (".trajectories.parquet", write_trajectories),
    "hdf5": (".hdf5", write_hdf5),
    "npz": (".npz", write_npz),
}
"""Ending of the file, and what writes it."""


def export_dataset(session: Session, operation: ExportDataset, folder: Path, output: Path) -> Path:
    """Returns the file, in `output`; of Minari it is a zip with the dataset's folder in it."""
    dataset = open_dataset(folder)
    allowed = session.job.inputs.get("allowed_bytes")
    require_space(output, int(dataset.manifest.size * EXPANSION[operation.format]), allowed)
    progress = WorkCount(session, len(dataset))
    name, version = operation.of.name, operation.of.version or 1
    return export(dataset, operation.format, output / f"{name}-v{version}", progress.reach_share)


def export(dataset: OpenDataset, format: ExportFormat, stem: Path, report: Report) -> Path:
    """`stem`: path of the file without its ending, which begins with the name and ends with the version."""
    if format == "minari":
        name, _, version = stem.name.rpartition("-v")
        return _export_minari(dataset, stem, minari_id(name, int(version)), report)
    ending, write = WRITERS[format]
    made = stem.with_name(stem.name + ending)
    write(dataset, made, report)
    _read_back(dataset, made)
    return made


def _export_minari(dataset: OpenDataset, stem: Path, dataset_id: str, report: Report) -> Path:
    folder = stem.with_name("minari") / dataset_id
    try:
        write_minari(dataset, folder, dataset_id, report)
        _read_back(dataset, folder)
        made = stem.with_name(f"{dataset_id}.zip")
        _pack(folder, made, report)
    finally:
        shutil.rmtree(folder.parent, ignore_errors=True)
    return made


def _pack(folder: Path, made: Path, report: Report) -> None:
    """Stored, not packed again: large arrays in the HDF5 already are."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as archive:
        for path in files:
            name = str(path.relative_to(folder.parent))
            with path.open("rb") as source, archive.open(name, "w", force_zip64=True) as target:
                while block := source.read(BLOCK):
                    target.write(block)
                    report(1.0)


def _read_back(dataset: OpenDataset, made: Path) -> None:
    """The lab's own reader finds the same columns and as many steps or episodes in the file."""
    found, manifest = open_source(made), dataset.manifest
    expected = manifest.episodes if found.unit == "episode" else manifest.transitions
    is_same = (
        found.total == expected
        and found.observation_space == manifest.observation_space
        and found.action_space == manifest.action_space
    )
    if not is_same:
        raise WorkerFailed(
            f"{made.name} was written, but reads back as something else: {found.total:,} {found.unit}s instead of "
            f"{expected:,}, or other spaces.",
            next_step="Report it with the dataset's name; the dataset itself is not changed.",
        )
