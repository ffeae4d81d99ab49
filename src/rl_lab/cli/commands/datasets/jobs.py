"""What the commands that start a job on datasets have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.dataset_argument import read_dataset
from rl_lab.cli.completion import complete_dataset
from rl_lab.cli.jobs import print_failure, result_of, wait_for_job
from rl_lab.cli.output import bytes_text, duration, print_json
from rl_lab.cli.terminal import print
from rl_lab.core.words.amounts import plural

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

NameArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="The dataset that gets a new version; it is created if there is none of this name.",
        autocompletion=complete_dataset,
    ),
]
VersionArgument = Annotated[
    str,
    typer.Argument(
        metavar="NAME[@vN]",
        help="A dataset, or one of its versions; the newest one unless it is named.",
        autocompletion=complete_dataset,
    ),
]
NoteOption = Annotated[str, typer.Option("--note", help="A note for a new dataset.", show_default=False)]
LicenceOption = Annotated[str, typer.Option("--licence", help="Its licence.", show_default=False)]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Only say how many episodes, how much room and how long; start nothing."),
]


def chosen(written: str) -> dict[str, Any]:
    """A version as the API takes it."""
    choice = read_dataset(written)
    assert choice is not None
    return choice


def run_operation(
    client: LabClient, label: str, *, as_json: bool = False, dry_run: bool = False, **operation: Any
) -> int:
    """Starts a job, waits for it with a progress bar, and prints its result in one sentence; returns the exit code."""
    body = {"operation": operation}
    if dry_run:
        return _print_forecast(client.post("/api/datasets/forecast", body), as_json)
    ended = wait_for_job(client, client.post("/api/datasets/jobs", body), label, quiet=as_json)
    result, is_good = result_of(ended), ended["status"] == "succeeded"
    if as_json:
        print_json(ended)
    elif not is_good or "message" not in result:
        return print_failure(ended)
    else:
        print(result["message"])
        for note in result.get("notes", []):
            print(note)
    return 0 if is_good and not _is_bad(result) else 1


def _is_bad(result: dict[str, Any]) -> bool:
    """A check or verification that found something wrong ends with an exit code of its own."""
    verification = result.get("verification") or {}
    return result.get("integrity") in ("damaged", "missing") or verification.get("outcome") in (
        "different",
        "impossible",
    )


def _print_forecast(found: dict[str, Any], as_json: bool) -> int:
    if as_json:
        print_json(found)
    elif found["problem"]:
        print(f"It cannot start: {found['problem']}")
        if found["remedy"]:
            print(f"Next: {found['remedy']}")
    else:
        print(", ".join(_amounts(found)) + ".")
        for note in found["notes"]:
            print(note)
    return 1 if found["problem"] else 0


def _amounts(found: dict[str, Any]) -> list[str]:
    words = []
    if found["episodes"] is not None:
        words.append(plural(found["episodes"], "episode"))
    if found["transitions"] is not None:
        words.append(plural(found["transitions"], "step"))
    if found["bytes"]:
        words.append(f"about {bytes_text(found['bytes'])}")
    if found["seconds"] is not None:
        words.append(f"about {duration(found['seconds'])}")
    return [*words, f"{bytes_text(found['free_bytes'])} are free"]
