"""Files that a command writes where the user says: the check of their names, and the default name in a folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rl_lab.cli.output import write_file
from rl_lab.core.errors import InvalidInput, NotFound, NotReady
from rl_lab.core.words.file_names import file_name

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

REPORT_FORMATS = {".html": "html", ".txt": "text", ".json": "json"}


def require_new_file(given: Path, suffix: str) -> None:
    """Raises before the work starts, unless a new file with this suffix, or one in this folder, can be written."""
    if given.is_dir():
        return
    if given.suffix.lower() != suffix:
        raise InvalidInput(
            f"“{given.name}” is not the name of a {suffix} file.",
            next_step=f"Name a file that ends in {suffix}, or a folder.",
        )
    if given.exists():
        raise _exists(given)
    if not given.absolute().parent.is_dir():
        raise NotFound(
            f"The folder {given.parent} does not exist.", next_step="Create it, or name another one."
        )


def place_of(client: LabClient, run_id: str, given: Path, what: str, suffix: str) -> Path:
    """The file to write: the one that was named, or in a folder the one named after its run."""
    if not given.is_dir():
        return given
    return given / file_name(client.get(f"/api/runs/{run_id}")["name"], what, suffix)


def save_new(client: LabClient, artifact_id: str, target: Path) -> None:
    """Downloads an artifact to a file that does not exist yet."""
    if target.exists():
        raise _exists(target)
    write_file(target, client.download(artifact_id))


def report_format(report: Path) -> str:
    """The format that the end of a file name asks for."""
    form = REPORT_FORMATS.get(report.suffix.lower())
    if form is None:
        raise InvalidInput(
            f"{report.name} does not say what kind of report it is.",
            next_step=f"Name a file that ends in {', '.join(REPORT_FORMATS)}.",
        )
    return form


def _exists(file: Path) -> NotReady:
    return NotReady(f"{file} exists already.", next_step="Name another file, or delete it.")
