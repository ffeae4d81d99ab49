"""Files of a job on datasets and of a version; without numpy, for the server's start."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from rl_lab.core.datasets.manifest import FORMAT, MANIFEST_FILE, DatasetManifest
from rl_lab.core.errors import InvalidInput, NotFound

FOLDER = "dataset"
"""In the job's folder: `dataset/0/` holds its first new version, `dataset/1/` the second one of a split."""
EXPORT_FOLDER = "export"
STATISTICS_FILE = "statistics.json"
"""The figures of a version, next to dataset.json; not part of the contents."""
MAX_MANIFEST_BYTES = 64 << 20


def read_manifest(folder: Path) -> DatasetManifest:
    path = folder / MANIFEST_FILE
    try:
        if path.stat().st_size > MAX_MANIFEST_BYTES:
            raise InvalidInput(f"{MANIFEST_FILE} of {folder.name} is larger than any that the lab writes.")
        manifest = DatasetManifest.model_validate_json(path.read_bytes())
    except FileNotFoundError as missing:
        raise NotFound(
            f"{folder.name} has no {MANIFEST_FILE}, so it is not a complete dataset.",
            next_step="Make the dataset again.",
        ) from missing
    except ValidationError as problem:
        raise InvalidInput(f"{MANIFEST_FILE} of {folder.name} is damaged: {problem}") from problem
    if manifest.format != FORMAT:
        raise InvalidInput(
            f"{folder.name} has the format {manifest.format}; this version of RL Lab reads format {FORMAT}.",
            next_step="Update RL Lab.",
        )
    return manifest
