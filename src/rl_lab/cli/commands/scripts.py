"""`rl-lab run -- COMMAND`: shows what a script or program would do, asks, then follows it like a training."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.allow_root import AllowRoot, allow_root_in_own_lab
from rl_lab.cli.bell import Bell
from rl_lab.cli.commands.runs import print_run
from rl_lab.cli.follow import FAILED, exit_code, follow_run
from rl_lab.cli.jobs import wait_until_started
from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.run_options import RunOptionsCommand, takes_run_options
from rl_lab.cli.run_output import show_output
from rl_lab.cli.terminal import confirm, print
from rl_lab.core.words.shown_text import visible
from rl_lab.home_folder import home_path

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

PASSED_ON = (
    "CUDA_VISIBLE_DEVICES",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "PYTHONPATH",
    "PYTHONHASHSEED",
    "LD_LIBRARY_PATH",
    "MUJOCO_GL",
    "SDL_VIDEODRIVER",
    "JAX_PLATFORMS",
)
"""Variables of this shell that the script gets, even where a server with another shell runs it."""
SHOWN_FILES = 12
BADGES = {"confined": "confined to these folders", "partly": "only partly isolated", "none": "NOT ISOLATED"}


class Wandb(StrEnum):
    stand_in = "stand-in"
    offline = "offline"
    online = "online"


Command = Annotated[
    list[str],
    typer.Argument(metavar="-- COMMAND…", help="As typed without the lab: python train.py --seed 1."),
]
Env = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME|VAR=VALUE", help="The environment it learns, or a variable; repeatable."),
]
Tags = Annotated[list[str] | None, typer.Option(help="A tag; repeatable.")]
Workdir = Annotated[
    Path | None, typer.Option(help="Folder to run in, and to write to (default: the run's own).")
]
Writes = Annotated[list[Path] | None, typer.Option(help="One more folder to write to; repeatable.")]
Reads = Annotated[list[Path] | None, typer.Option(help="One more file or folder to read; repeatable.")]
Network = Annotated[bool, typer.Option("--network", help="Allow the network.")]
WandbMode = Annotated[Wandb, typer.Option(help="How W&B calls are handled.")]
Training = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ENV",
        help="An environment of the script that is its training, by id or number; repeatable.",
        show_default=False,
    ),
]
Protocol = Annotated[
    bool, typer.Option("--protocol", help="A program that prints the lab's protocol lines itself.")
]
Detach = Annotated[bool, typer.Option("--detach", "-d", help="Return once it is running; it continues.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Approve without being asked.")]


def register(app: typer.Typer) -> None:
    settings = {"ignore_unknown_options": True, "allow_interspersed_args": False}
    app.command("run", cls=RunOptionsCommand, context_settings=settings)(run)


@takes_run_options(only_scripts=True)
def run(
    command: Command,
    env: Env = None,
    *,
    tag: Tags = None,
    workdir: Workdir = None,
    write: Writes = None,
    read: Reads = None,
    network: Network = False,
    wandb: WandbMode = Wandb.stand_in,
    training: Training = None,
    protocol: Protocol = False,
    allow_root: AllowRoot = False,
    detach: Detach = False,
    bell: Bell = None,
    yes: Yes = False,
    as_json: AsJson = False,
    **chosen: Any,
) -> int:
    """Run a Python script as it is, or any program that speaks the protocol; what would run is shown first."""
    from rl_lab.cli.connection import open_lab

    if allow_root:
        allow_root_in_own_lab()
    env_id, variables = split_env(env or [])
    params = {
        "command": [find_first(command, is_program=protocol), *command[1:]],
        "folder": str(Path.cwd()),
        "workdir": str(workdir.absolute()) if workdir else "",
        "network": network,
        "env": {**passed_on(), **variables},
        "reads": [str(path.absolute()) for path in read or ()],
        "writes": [str(path.absolute()) for path in write or ()],
    }
    captured = {"wandb": wandb.value, "training": training or []}
    runner = {"runner": "program", "algorithm": "protocol", "params": params}
    if not protocol:
        runner = {"runner": "script", "algorithm": "python", "params": {**params, **captured}}
    wanted = {**runner, "env_id": env_id, "tags": tag or [], "start": True, **chosen}
    with open_lab() as client:
        found = _create_approved(client, wanted, command[0], yes=yes, quiet=as_json)
        if found is None:
            print("Not run.", file=sys.stderr)
            return FAILED
        created, preview = found
        ended, interrupted = _see_through(client, created, detach=detach, bell=bell, quiet=as_json)
        folder = str(home_path() / "runs" / ended["id"])
        if as_json:
            print_json({**ended, "folder": folder, "preview": preview})
        else:
            print_run(ended, folder)
        return exit_code(ended["status"], interrupted)


def _create_approved(
    client: LabClient, wanted: dict[str, Any], program: str, *, yes: bool, quiet: bool
) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The new run and the preview that the user approved; None when the user says no."""
    preview = client.post("/api/commands/preview", wanted)
    wanted, preview = _with_python_path(client, wanted, preview, yes=yes)
    if is_any_python(program) and preview["interpreter"] and preview["interpreter"]["missing"]:
        wanted, preview = _by_own_python(client, wanted, preview)
    if not approve(preview, yes=yes, quiet=quiet):
        return None
    return client.post("/api/runs", {**wanted, "consent": preview["sha256"]}), preview


def is_any_python(word: str) -> bool:
    """Plain `python` without an active environment: any Python that has the packages will do."""
    return word in ("python", "python3") and not {"VIRTUAL_ENV", "CONDA_PREFIX"} & os.environ.keys()


def _by_own_python(
    client: LabClient, wanted: dict[str, Any], preview: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The same run with the lab's own Python if it has every package; otherwise unchanged."""
    own = {**wanted, "params": {**wanted["params"], "python": sys.executable}}
    other = client.post("/api/commands/preview", own)
    if other["interpreter"]["missing"]:
        return wanted, preview
    lacking = ", ".join(preview["interpreter"]["missing"])
    message = f"{preview['interpreter']['path']} lacks {lacking}; the lab's own Python has it and is used."
    print(message, file=sys.stderr)
    return own, other


def _with_python_path(
    client: LabClient, wanted: dict[str, Any], preview: dict[str, Any], *, yes: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The same run with modules of the script's repository, where it lacks them and the user agrees."""
    path = preview["interpreter"] and preview["interpreter"]["python_path"]
    if not path or not (yes or sys.stdin.isatty()):
        return wanted, preview
    found = f"The lab found {', '.join(preview['interpreter']['found'])} in the script's repository"
    if yes:
        print(f"{found}: PYTHONPATH={path} is set.", file=sys.stderr)
    elif not confirm(f"{found}. Set PYTHONPATH={path}?", default=True):
        return wanted, preview
    params = wanted["params"]
    changed = {**wanted, "params": {**params, "env": {**params["env"], "PYTHONPATH": path}}}
    return changed, client.post("/api/commands/preview", changed)


def _see_through(
    client: LabClient, created: dict[str, Any], *, detach: bool, bell: bool | None, quiet: bool
) -> tuple[dict[str, Any], bool]:
    """The run as far as the user wants to follow it, and whether the user interrupted it."""
    if detach:
        return wait_until_started(client, created), False
    with show_output(client, created["id"], quiet=quiet):
        interrupted = follow_run(client, created, quiet=quiet, bell=bell)
    return client.get(f"/api/runs/{created['id']}"), interrupted


def split_env(given: list[str]) -> tuple[str, dict[str, str]]:
    """`--env CartPole-v1` names the environment, `--env SEED=1` sets a variable."""
    from rl_lab.core.errors import InvalidInput

    names = [word for word in given if "=" not in word]
    if len(names) > 1:
        raise InvalidInput.of_field("--env", f"Two environments are named: {', '.join(names)}.")
    pairs = [word.partition("=") for word in given if "=" in word]
    return names[0] if names else "", {variable: value for variable, _, value in pairs}


def passed_on() -> dict[str, str]:
    found = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    if "PYTHONPATH" in found:
        # The script runs in another folder.
        folders = [str(Path(entry).absolute()) for entry in found["PYTHONPATH"].split(os.pathsep) if entry]
        found["PYTHONPATH"] = os.pathsep.join(folders)
    return found


def find_first(command: list[str], *, is_program: bool) -> str:
    """The path of the program in this shell; the server may have another PATH."""
    word = command[0]
    is_python = Path(word).name.startswith(("python", "pypy"))
    if not is_program and not is_python:
        return word
    found = word if "/" in word else shutil.which(word)
    if found is None:
        return word
    path = str(Path(found).absolute())
    return _behind_shim(path) if is_python and "/" not in word else path


def _behind_shim(python: str) -> str:
    """Tools like pyenv put a shell script in place of Python; it chooses one by the current folder.

    Only a script in a folder `shims` is started: any other may be part of what is about to be looked at.
    """
    if Path(python).parent.name != "shims":
        return python
    try:
        with Path(python).open("rb") as file:
            if file.read(2) != b"#!":
                return python
        asked = [python, "-c", "import sys; print(sys.executable)"]
        found = subprocess.run(asked, capture_output=True, text=True, timeout=20, check=False).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return python
    return found or python


def approve(preview: dict[str, Any], *, yes: bool, quiet: bool) -> bool:
    """Shows what would run and asks, unless this version of the file was approved before."""
    from rl_lab.core.errors import InvalidInput

    is_approved = yes or preview["is_consented"]
    if not quiet or not is_approved:
        show(preview)
    if is_approved:
        return True
    if not sys.stdin.isatty():
        what = preview["command"]["script"] or "this command"
        raise InvalidInput(
            f"{what[:1].upper()}{what[1:]} has not been approved, and there is no terminal to ask at.",
            next_step="Look at the command above; --yes approves it.",
        )
    return confirm("Run it?")


def show(preview: dict[str, Any]) -> None:
    """Prints the command and what it may access to stderr."""
    command, python = preview["command"], preview["interpreter"]
    rows = [("command", shlex.join(command["shown"]))]
    if python:
        rows.append(("python", f"{python['version']}  {python['path']}"))
    rows += [("folder", command["cwd"]), ("variables", ", ".join(preview["variables"]))]
    if preview["threads"]:
        rows.append(("threads", f"{preview['threads']} (--env OMP_NUM_THREADS=N changes it)"))
    rows += [("may read", path) for path in command["reads"]]
    rows += [("also reads", f"{path}, because the interpreter adds it") for path in preview["added"]]
    rows += [("may write", path) for path in command["writes"]]
    rows += [
        ("network", "allowed" if command["network"] else "none"),
        ("user", preview["runs_as"]),
        ("isolation", " – ".join(filter(None, (BADGES[preview["isolation"]], preview["isolation_note"])))),
        ("covers", covered(preview)),
        ("sha-256", preview["sha256"]),
    ]
    rows += [("changed", text) for text in preview["changes"]]
    rows += [("not seen", text) for text in preview["not_captured"]]
    rows += [("warning", problem) for problem in preview["problems"]]
    # Escaped, not removed: the user approves what is really there, and no value may look like another row.
    lines = [f"  {title:<10} {visible(text)}" for title, text in rows]
    print("\n".join(lines), file=sys.stderr, flush=True)


def covered(preview: dict[str, Any]) -> str:
    """What an approval applies to, in words."""
    script = preview["command"]["script"]
    if script is None:
        return "the words of this command"
    files = [Path(script).name, *preview["modules"]]
    named = ", ".join(files[:SHOWN_FILES])
    if len(files) > SHOWN_FILES:
        named += f" and {len(files) - SHOWN_FILES} more"
    state = "as they are now" if preview["modules"] else "as it is now"
    return f"{named}, {state}; other files that it reads may change without a question"
