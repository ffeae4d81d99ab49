"""`rl-lab datasets import` and `export`: datasets from and for other tools."""

from __future__ import annotations

import shutil
import zipfile
from contextlib import AbstractContextManager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import find_run_id
from rl_lab.cli.commands.datasets.jobs import (
    DryRun,
    LicenceOption,
    NoteOption,
    VersionArgument,
    chosen,
    run_operation,
)
from rl_lab.cli.commands.datasets.listing import group
from rl_lab.cli.completion import complete_environment
from rl_lab.cli.job_progress import open_job_bar
from rl_lab.cli.jobs import print_failure, result_of, wait_for_job
from rl_lab.cli.output import AsJson, bytes_text, print_json
from rl_lab.cli.output_files import ForceOption, OutputOption, require_folder_of, require_free, save_stream
from rl_lab.cli.terminal import print
from rl_lab.core.datasets.formats import ExportFormat, ImportFormat
from rl_lab.core.errors import InvalidInput, NotFound, NotReady

if TYPE_CHECKING:
    from rl_lab.cli.client import Download, LabClient
    from rl_lab.cli.job_progress import Advance

UPLOADS = "/api/datasets/uploads"
PIECE = 256 << 20
"""Bytes of an upload that are sent with one request."""
MINARI = "minari:"
ENDINGS = {
    "minari": ".zip",
    "parquet": ".parquet",
    "trajectories": ".trajectories.parquet",
    "hdf5": ".hdf5",
    "npz": ".npz",
}


def register(app: typer.Typer) -> None:
    """The commands are those of the group."""


@group.command("import")
def import_dataset(
    *,
    source: Annotated[
        str,
        typer.Argument(
            metavar="PATH|minari:ID|RUN",
            help="A file or folder on the lab's machine, a dataset of Minari's server, or a run whose replay buffer "
            "is taken.",
        ),
    ],
    name: Annotated[str, typer.Option("--name", help="The dataset that gets a new version.")],
    format: Annotated[
        ImportFormat | None, typer.Option(help="Recognised by its contents if absent.", show_default=False)
    ] = None,
    env: Annotated[
        str | None,
        typer.Option(
            help="The environment it was recorded in, if the file does not name it; its spaces are compared.",
            autocompletion=complete_environment,
            show_default=False,
        ),
    ] = None,
    sha256: Annotated[
        str | None,
        typer.Option(help="What the file has to have; another one is refused.", show_default=False),
    ] = None,
    origin: Annotated[str, typer.Option("--source", help="Where it comes from.", show_default=False)] = "",
    upload: Annotated[
        bool, typer.Option("--upload", help="Send the file to the lab, if that is on another machine.")
    ] = False,
    note: NoteOption = "",
    licence: LicenceOption = "",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> int:
    """Import a dataset of another tool: Minari, HDF5 or NPZ (D4RL, OGBench), Parquet, CSV, or a replay buffer.

    Files are read as data, in a confined process, a part at a time. Pickles are never loaded.
    """
    from rl_lab.cli.connection import open_lab

    wanted: dict[str, Any] = {
        "do": "import",
        "name": name,
        "note": note,
        "licence": licence,
        "source": origin,
    }
    wanted |= {"format": format, "env_id": env, "sha256": sha256}
    with open_lab() as client:
        wanted |= find_source(client, source, upload=upload and not dry_run, quiet=as_json)
        return run_operation(client, "Importing", as_json=as_json, dry_run=dry_run, **wanted)


@group.command("export")
def export_dataset(
    *,
    of: VersionArgument,
    format: Annotated[
        ExportFormat, typer.Option("--format", "-f", help="The tool that shall read it.")
    ] = "minari",
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: AsJson = False,
) -> int:
    """Export a version: for Minari, as Parquet (steps or trajectories), HDF5 or NPZ. Minari's becomes a folder."""
    from rl_lab.cli.connection import open_lab

    if output is not None and not output.is_dir():
        require_free(output, force)
        require_folder_of(output)
    with open_lab() as client:
        job = client.post(
            "/api/datasets/jobs", {"operation": {"do": "export", "of": chosen(of), "format": format}}
        )
        ended = wait_for_job(client, job, "Exporting", quiet=as_json)
        if ended["status"] != "succeeded":
            return print_failure(ended)
        target, size = _download(client, ended, format, output or Path(), force=force, quiet=as_json)
    if as_json:
        print_json({"file": str(target), "size": size, "run_id": ended["id"]})
    else:
        print(f"{target}, {bytes_text(size)}")
    return 0


def find_source(client: LabClient, written: str, *, upload: bool, quiet: bool) -> dict[str, str]:
    """What to import, as the API takes it: a path that exists, an id of Minari, or a run."""
    if written.startswith(MINARI):
        return {"minari": written.removeprefix(MINARI)}
    path = Path(written).expanduser()
    if path.exists():
        return {"upload": send_file(client, path, quiet=quiet)} if upload else {"path": str(path.resolve())}
    if "/" in written or path.suffix:
        raise NotFound(f"There is no file or folder {written}.", next_step="Check the path.")
    return {"buffer_of": find_run_id(client, written)}


def send_file(client: LabClient, path: Path, *, quiet: bool) -> str:
    """Sends a file in pieces, each continued where the lab has ended; returns the id of the upload."""
    if not path.is_file():
        raise InvalidInput(
            f"{path} is a folder; only a file can be sent.",
            next_step="Pack it without compression: zip -0 -r.",
        )
    size = path.stat().st_size
    with path.open("rb") as file, open_job_bar("Sending", unit="bytes", quiet=quiet) as advance:
        sent = client.upload(UPLOADS, _Piece(file, PIECE), min(size, PIECE), name=path.name, size=size)
        while sent["received"] < size:
            advance(sent["received"], size)
            file.seek(sent["received"])
            rest = min(PIECE, size - sent["received"])
            again = client.upload(
                UPLOADS, _Piece(file, rest), rest, upload=sent["id"], offset=sent["received"]
            )
            if again["received"] == sent["received"]:
                raise NotReady("The lab receives nothing more of the file.", next_step="Try again.")
            sent = again
        advance(size, size)
    return str(sent["id"])


class _Piece:
    """Some bytes of an open file."""

    def __init__(self, file: Any, size: int) -> None:
        self._file, self._left = file, size

    def read(self, size: int = -1) -> bytes:
        data: bytes = self._file.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data


def _download(
    client: LabClient, job: dict[str, Any], format: str, output: Path, *, force: bool, quiet: bool
) -> tuple[Path, int]:
    path = result_of(job)["artifact"]
    [made] = [one for one in client.get(f"/api/runs/{job['id']}/artifacts") if one["path"] == path]
    is_folder = format == "minari" and output.suffix.lower() != ".zip"
    name = Path(path).stem if is_folder else Path(path).name
    target = output / name if output.is_dir() else output
    require_free(target, force)
    with open_job_bar("Receiving", unit="bytes", quiet=quiet) as advance:
        opened = client.open_download("GET", f"/api/artifacts/{made['id']}")
        if is_folder:
            return target, _save_folder(opened, target, advance)
        return save_stream(opened, target, force, advance)


def _save_folder(opened: AbstractContextManager[Download], target: Path, advance: Advance) -> int:
    """Minari looks for a folder, `<id>/data`; it is unpacked aside, so that nothing else of that name is touched."""
    with TemporaryDirectory(dir=target.absolute().parent, prefix=f".{target.name}.") as aside:
        packed, size = save_stream(opened, Path(aside) / "packed.zip", False, advance)
        unpacked = Path(aside) / "unpacked"
        with zipfile.ZipFile(packed) as archive:
            archive.extractall(unpacked)
        [made] = unpacked.iterdir()
        if target.is_dir():
            shutil.rmtree(target)
        else:
            target.unlink(missing_ok=True)
        made.rename(target)
    return size
