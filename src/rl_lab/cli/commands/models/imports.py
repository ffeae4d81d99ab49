"""`rl-lab import`: a model of somebody else becomes a run that can be evaluated, filmed and trained further."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.job_progress import open_job_bar
from rl_lab.cli.output import AsJson, bytes_text, number, print_json
from rl_lab.cli.terminal import confirm, print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

ROUTE = "/api/models/import"
CHUNK = 1 << 20
EnvOption = Annotated[
    str | None, typer.Option("--env", help="The environment it was trained in, if no file names it.")
]
AlgorithmOption = Annotated[
    str | None, typer.Option(help="ppo, a2c, dqn, sac or td3, if the file does not say.")
]
NameOption = Annotated[str | None, typer.Option(help="Name of the run.")]
YesOption = Annotated[
    bool, typer.Option("--yes", "-y", help="Approve a program (TorchScript) without being asked.")
]
PreviewOption = Annotated[
    bool, typer.Option("--preview", help="Only show what the file holds; import nothing.")
]


def register(app: typer.Typer) -> None:
    app.command("import")(import_model)


def import_model(
    *,
    path: Annotated[
        str, typer.Argument(metavar="FILE|FOLDER", help="A model file, or a folder with one and its card.")
    ],
    env: EnvOption = None,
    algorithm: AlgorithmOption = None,
    name: NameOption = None,
    yes: YesOption = False,
    preview: PreviewOption = False,
    as_json: AsJson = False,
) -> None:
    """Import a trained model: Stable-Baselines3, turbo, CleanRL, ONNX, TorchScript, or a folder from the Hub.

    Files are read as data, in a confined process. Only a TorchScript program is executed, after you approved it.
    """
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.errors import InvalidInput

    if not path.strip():  # as a path it would be the current folder
        raise InvalidInput("No file is named.", next_step="Name a model file or a folder.")
    files = list_files(Path(path))
    with open_lab() as client:
        upload = send_files(client, files, quiet=as_json)
        choices = {"env_id": env, "algorithm": algorithm, "name": name}
        take_in(client, upload, choices, yes=yes, preview=preview, as_json=as_json)


def take_in(
    client: LabClient,
    upload: str,
    choices: dict[str, str | None],
    *,
    yes: bool,
    preview: bool,
    as_json: bool,
) -> None:
    """Shows what files in the lab hold, asks about a program, and imports them; they are forgotten otherwise."""
    chosen = {name: value for name, value in choices.items() if value}
    waiting: str | None = upload
    try:
        asked = {name: value for name, value in chosen.items() if name == "algorithm"}
        found = client.get(f"{ROUTE}/{upload}", **asked)
        if preview or not as_json:
            _show(found, as_json=as_json)
        if preview:
            return
        consent = approve(found, yes=yes)
        run = client.post(f"{ROUTE}/{upload}", {**chosen, **({"consent": consent} if consent else {})})
        waiting = None
    finally:
        if waiting:
            client.drop(f"{ROUTE}/{waiting}")
    if as_json:
        print_json(run)
        return
    for note in run["origin"]["notes"]:
        print(f"! {note}")
    print(f"Imported as {run['id']} “{run['name']}”. Try it: rl-lab evaluate {run['id']}")


def list_files(path: Path) -> list[tuple[str, Path]]:
    """Names and paths of what is sent: one file, or all regular files of a folder; links are left out."""
    from rl_lab.core.errors import InvalidInput, NotFound
    from rl_lab.core.models.imports import MAX_MODEL_FILES

    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise NotFound(f"{path} cannot be read: {error.strerror}.") from None
    if stat.S_ISREG(mode):
        return [(path.name, path)]
    if not stat.S_ISDIR(mode):
        raise InvalidInput(
            f"{path} is neither a file nor a folder.", next_step="Name a model file or a folder."
        )
    found = [(str(one.relative_to(path)), one) for one in _walk(path)]
    if not found:
        raise InvalidInput(
            f"The folder {path} holds no files.", next_step="Name a folder with a model in it."
        )
    if len(found) > MAX_MODEL_FILES:
        raise InvalidInput(
            f"The folder {path} holds {len(found):,} files; a model has {MAX_MODEL_FILES} at most.",
            next_step="Name the model file itself.",
        )
    return found


def _walk(folder: Path) -> list[Path]:
    found: list[Path] = []
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        here = [Path(parent) / name for name in sorted(names) if not name.startswith(".")]
        found += [path for path in here if stat.S_ISREG(path.lstat().st_mode)]
    return found


def send_files(client: LabClient, files: list[tuple[str, Path]], *, quiet: bool) -> str:
    """Sends them one by one, each with its hash; returns the id of the upload."""
    from rl_lab.core.errors import NotReady

    upload = ""
    sizes = [path.stat().st_size for _, path in files]
    with open_job_bar("Sending", unit="bytes", quiet=quiet) as advance:
        for index, (name, path) in enumerate(files):
            more = {"upload": upload} if upload else {}
            try:
                with path.open("rb") as opened:
                    sha256 = hashlib.file_digest(opened, "sha256").hexdigest()
                    size = opened.seek(0, os.SEEK_END)
                    opened.seek(0)
                    sent = client.upload(ROUTE, opened, size, name=name, sha256=sha256, **more)
            except OSError as error:
                raise NotReady(f"{path} cannot be read: {error.strerror}.") from None
            upload = sent["id"]
            advance(sum(sizes[: index + 1]), sum(sizes))
    return upload


def approve(found: dict[str, Any], *, yes: bool) -> str | None:
    """The hash of a program that the user approves; None for a file that is only data."""
    from rl_lab.core.errors import ConsentNeeded

    if not found["needs_consent"]:
        return None
    print(
        f"{found['file']} is a program: it runs when the lab loads it, confined: no network, no files but its own.\n"
        f"SHA-256 {found['sha256']}"
    )
    if yes:
        return str(found["sha256"])
    if not sys.stdin.isatty():
        raise ConsentNeeded(
            f"{found['file']} has not been approved.",
            next_step="Import it only if you trust it; --yes approves it.",
        )
    if confirm("Load it?"):
        return str(found["sha256"])
    raise typer.Exit(1)


def _show(found: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    algorithm = found["algorithm"].upper() if found["algorithm"] != "policy" else "policy"
    where = found["env_id"] or "an environment that the file does not name"
    print(f"{found['file']}, {bytes_text(found['size'])}: {found['form']}, {algorithm} for {where}")
    print(f"It takes {found['observation']} and gives {found['action']}.")
    if found["timesteps"]:
        print(f"Trained for {number(found['timesteps'], 0)} steps.")
    if found["claim"]:
        claim = found["claim"]
        spread = f" ± {number(claim['std'])}" if claim["std"] is not None else ""
        print(
            f"{claim['source']} claims a return of {number(claim['mean'])}{spread}; the lab has not measured it."
        )
