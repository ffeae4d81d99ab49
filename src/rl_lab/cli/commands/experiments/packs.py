"""`rl-lab pack` and `rl-lab unpack`: runs and studies as one file, and such a file brought into this lab."""

from __future__ import annotations

import json
import zipfile
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.job_progress import open_job_bar
from rl_lab.cli.output import AsJson, bytes_text, number, print_json, print_table
from rl_lab.cli.output_files import ForceOption, OutputOption, require_free, save_stream
from rl_lab.cli.studies.subjects import SubjectsArgument, find_subjects
from rl_lab.cli.terminal import print
from rl_lab.core.words.amounts import plural

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from rl_lab.cli.client import LabClient

MOST_SHOWN = 20


class PackedCheckpoints(StrEnum):
    best = "best"
    all = "all"
    none = "none"


def register(app: typer.Typer) -> None:
    app.command()(pack)
    app.command()(unpack)


def pack(
    *,
    runs: SubjectsArgument,
    checkpoints: Annotated[
        PackedCheckpoints,
        typer.Option(help="Which checkpoints it holds: the best (else the newest), all, or none."),
    ] = PackedCheckpoints.best,
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: AsJson = False,
) -> None:
    """Pack ended runs or whole studies into one file that another lab can show and run again."""
    from rl_lab.cli.connection import open_lab

    if output is not None and not output.is_dir():
        require_free(output, force)
    with open_lab() as client, open_job_bar("Packing", unit="bytes", quiet=as_json) as advance:
        wanted = find_subjects(client, runs).as_query()
        download = client.open_download("GET", "/api/packs", **wanted, checkpoints=checkpoints.value)
        target, size = save_stream(download, output or Path(), force, advance)
    listed = _read_list(target)
    datasets, notes = listed.get("datasets", []), listed.get("notes", [])
    if as_json:
        print_json({"file": str(target), "size": size, "datasets": datasets, "notes": notes})
        return
    print(f"Pack, {bytes_text(size)}: {target}")
    _print_datasets(datasets)
    for note in notes:
        print(f"! {note}")


def unpack(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A pack.", exists=True, dir_okay=False)],
    preview: Annotated[
        bool, typer.Option("--preview", help="Only check it and show what is inside; import nothing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Check a pack completely, then import its runs and studies; nothing in it is executed."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = send_pack(client, file, quiet=as_json)
        if preview:
            client.drop(f"/api/packs/{found['id']}")
            if as_json:
                print_json(found)
            else:
                _print_preview(found)
            return
        made = import_pack(client, found, quiet=as_json)
    if as_json:
        print_json(made)
        return
    _print_preview(found)
    print(f"{imported_text(made)}: `rl-lab runs` lists them.")
    for name, here in made["datasets"].items():
        print(f"The dataset {name} is in this lab{f' as {here}' if here != name else ''}.")


def _read_list(pack: Path) -> dict[str, Any]:
    """What is in a pack that the lab has just written."""
    from rl_lab.core.reproduction.packs import PACK_FILE  # imports pydantic models

    with zipfile.ZipFile(pack) as archive:
        found: dict[str, Any] = json.loads(archive.read(PACK_FILE))
    return found


def send_pack(client: LabClient, file: Path, *, quiet: bool) -> dict[str, Any]:
    """Uploads a pack; the lab has then checked all of it."""
    from rl_lab.core.errors import NotReady

    size = file.stat().st_size
    try:
        with file.open("rb") as opened, open_job_bar("Sending", unit="bytes", quiet=quiet) as advance:
            sent: dict[str, Any] = client.upload(
                "/api/packs", _Counted(opened, lambda done: advance(done, size)), size, name=file.name
            )
    except OSError as error:
        raise NotReady(f"{file} cannot be read: {error.strerror}.") from None
    return sent


def import_pack(client: LabClient, found: dict[str, Any], *, quiet: bool) -> dict[str, Any]:
    """Imports a pack that was sent; repeated after a lost answer, it adds nothing a second time."""
    from rl_lab.cli.client import SLOW_S

    with open_job_bar("Importing", quiet=quiet):
        made: dict[str, Any] = client.post(f"/api/packs/{found['id']}/import", timeout_s=SLOW_S)
    return made


def imported_text(made: dict[str, Any]) -> str:
    """What became of the runs."""
    if made["is_repeated"]:
        return "The runs of this pack are in this lab already"
    return f"Imported {plural(len(made['runs']), 'run')}"


class _Counted:
    """A file that reports how much of it was read."""

    def __init__(self, file: BinaryIO, report: Callable[[int], None]) -> None:
        self._file, self._report, self._done = file, report, 0

    def read(self, size: int = -1) -> bytes:
        data = self._file.read(size)
        self._done += len(data)
        self._report(self._done)
        return data


def _print_preview(found: dict[str, Any]) -> None:
    manifest = found["manifest"]
    by = f"RL Lab {manifest['lab_version']}, {manifest['packed_at'][:16].replace('T', ' ')}"
    print(f"{manifest['name']} – packed by {by}; {bytes_text(found['bytes'])}, every hash is right.")
    for study in manifest["studies"]:
        print(
            f"Study “{study['name']}”: {plural(study['variants'], 'variant')}, {plural(study['runs'], 'run')}"
        )
    _print_datasets(manifest.get("datasets", []))
    shown = manifest["runs"][:MOST_SHOWN]
    print_table(
        ("RUN", "NAME", "KIND", "SEED", "STATUS", "STEPS", "EPISODES"),
        [
            (
                run["id"],
                run["name"],
                run["kind"],
                "–" if run["seed"] is None else str(run["seed"]),
                run["status"],
                number(run["steps"], 0),
                number(run["episodes"], 0),
            )
            for run in shown
        ],
    )
    if len(manifest["runs"]) > len(shown):
        print(f"… and {len(manifest['runs']) - len(shown)} more")
    if found["taken"]:
        print(
            f"This lab has the ids of {plural(len(found['taken']), 'run')} of it already: they get new ones."
        )
    if found["is_here"]:
        print("This pack was imported before, and its runs are still here: importing it again adds no run.")
    for problem in found["problems"]:
        print(f"! {problem}")


def _print_datasets(found: list[dict[str, Any]]) -> None:
    for one in found:
        amount = f"{plural(one['episodes'], 'episode')}, {plural(one['transitions'], 'step')}"
        print(f"Dataset {one['name']}@v{one['version']}: {amount}, {bytes_text(one['size'])}")
