"""Files that a command writes where the user says: the check of their names, and the default name in a folder."""

from __future__ import annotations

import json
import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.output import write_file
from rl_lab.core.errors import InvalidInput, NotFound, NotReady
from rl_lab.core.words.file_names import file_name
from rl_lab.core.words.shown_text import with_escapes

if TYPE_CHECKING:
    from rl_lab.cli.client import Download, LabClient
    from rl_lab.cli.job_progress import Advance

CHUNK = 1 << 18
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="PATH",
        help="Write the result to this new file, or into this folder.",
        show_default=False,
    ),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Overwrite a file that exists.")]
REPORT_FORMATS = {".html": "html", ".txt": "text", ".json": "json"}
COMPARISON_FORMATS = {**REPORT_FORMATS, ".md": "markdown"}


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
    require_folder_of(given)


def require_folder_of(target: Path) -> None:
    """Raises before the work starts if the file could not be written because its folder is missing."""
    if not target.absolute().parent.is_dir():
        raise NotFound(
            f"The folder {target.parent} does not exist.", next_step="Create it, or name another one."
        )


def require_free(target: Path, force: bool) -> None:
    """Raises if the file exists and must not be overwritten."""
    if target.exists() and not force:
        raise NotReady(
            f"{target} exists already.", next_step="Name another file, or overwrite it with --force."
        )


def save_stream(
    opened: AbstractContextManager[Download], given: Path, force: bool, advance: Advance
) -> tuple[Path, int]:
    """Writes a download to the file, or in a folder to the one that the lab names; returns it with its size.

    Under another name until it is complete, so that a broken download leaves no file that looks whole.
    """
    with opened as download:
        target = given / download.name if given.is_dir() else given
        require_free(target, force)
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        size = 0
        try:
            with part.open("wb") as file:
                while chunk := download.read(CHUNK):
                    file.write(chunk)
                    size += len(chunk)
                    advance(size, download.size)
            part.replace(target)
        except OSError as error:
            raise NotReady(f"{target} cannot be written: {error.strerror}.") from None
        finally:
            part.unlink(missing_ok=True)
    return target, size


RESULT_FILES = (".json", ".mp4")


def require_result_file(given: Path | None, force: bool) -> None:
    """Before a job starts: a folder, or a new file for its result or its video."""
    if given is None or given.is_dir():
        return
    if given.suffix.lower() not in RESULT_FILES:
        raise InvalidInput(
            f"“{given.name}” does not say what to write.",
            next_step="Name a file that ends in .json (the result) or .mp4 (the video), or a folder.",
        )
    require_free(given, force)
    require_folder_of(given)


def save_result(client: LabClient, job: dict[str, Any], given: Path, force: bool) -> Path:
    """Writes the result of a job as JSON, or its video; in a folder the result, named after the job."""
    target = given / file_name(job["name"], "result", ".json") if given.is_dir() else given
    require_free(target, force)
    if target.suffix.lower() == ".json":
        text = json.dumps(job["summary"]["result"], indent=2, ensure_ascii=False) + "\n"
        write_file(target, with_escapes(text))
        return target
    videos = [one for one in client.get(f"/api/runs/{job['id']}/artifacts") if one["kind"] == "video"]
    if not videos:
        raise NotFound("There is no video of it.", next_step="Leave out --no-video, or write a .json file.")
    write_file(target, client.download(videos[0]["id"]))
    return target


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


def report_format(report: Path, formats: dict[str, str] = REPORT_FORMATS) -> str:
    """The format that the end of a file name asks for."""
    form = formats.get(report.suffix.lower())
    if form is None:
        raise InvalidInput(
            f"{report.name} does not say what kind of report it is.",
            next_step=f"Name a file that ends in {', '.join(formats)}.",
        )
    return form


def _exists(file: Path) -> NotReady:
    return NotReady(f"{file} exists already.", next_step="Name another file, or delete it.")
