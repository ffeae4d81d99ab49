"""`rl-lab usage`, `retention`, `archive`, `unarchive`: shows and reduces the lab's disk usage."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import RunArgument, find_run_id
from rl_lab.cli.completion import complete_run
from rl_lab.cli.output import AsJson, ago, bytes_text, print_json, print_table
from rl_lab.cli.terminal import print
from rl_lab.cli.values import parse_bytes
from rl_lab.core.words.amounts import plural

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

KINDS = ("videos", "checkpoints", "tensorboard")
LIMITS = (*KINDS, "lab_bytes", "log_bytes", "archive_after_days", "runs_per_algorithm")
LOOK_AGAIN_S = 0.2


def register(app: typer.Typer) -> None:
    app.command()(usage)
    app.command()(retention)
    app.command()(archive)
    app.command()(unarchive)


def usage(
    run: Annotated[
        str | None,
        typer.Argument(
            metavar="RUN", help="Show one run; if left out, the largest runs.", autocompletion=complete_run
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="Maximum number of runs.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Show the disk usage of the lab, its runs, named models and datasets, and how many files of each kind are kept."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        if run is not None:
            found = client.get(f"/api/runs/{find_run_id(client, run)}/usage")
            rows = [found]
        else:
            found = _whole_usage(client, limit)
            rows = found["runs"]
    if as_json:
        print_json(found)
        return
    print_table(("RUN", "NAME", "BYTES", "VIDEOS", "CHECKPOINTS", "TENSORBOARD", "CREATED"), map(_row, rows))
    if run is None:
        _print_sums(found)


def _whole_usage(client: LabClient, limit: int) -> Any:
    """Runs are measured in the background; waits until all of them are measured."""
    while not (found := client.get("/api/usage", limit=limit))["is_complete"]:
        time.sleep(LOOK_AGAIN_S)
    return found


def _row(run: dict[str, Any]) -> tuple[str, ...]:
    packed = " packed" if run["archive_bytes"] else ""
    kept = [f"{run[kind]['kept']}/{run[kind]['made']} kept" if run[kind]["made"] else "–" for kind in KINDS]
    return run["run_id"], run["name"], f"{bytes_text(run['bytes'])}{packed}", *kept, ago(run["created_at"])


def _print_sums(found: dict[str, Any]) -> None:
    limit = f" of at most {bytes_text(found['limit'])}" if found["limit"] else ""
    free, used = bytes_text(found["free_bytes"]), bytes_text(found["total_bytes"])
    for model in found["models"]:
        print(
            f"Model {model['name']}: {bytes_text(model['bytes'])} in {plural(model['versions'], 'version')}."
        )
    for dataset in found["datasets"]:
        size = bytes_text(dataset["bytes"])
        print(f"Dataset {dataset['name']}: {size} in {plural(dataset['versions'], 'version')}.")
    counts = {
        "run": found["total_runs"],
        "named model": len(found["models"]),
        "dataset": len(found["datasets"]),
    }
    what = ", ".join(plural(count, noun) for noun, count in counts.items() if count or noun == "run")
    print(f"{what}: {used}{limit} used; {free} free.")
    if found["problem"]:
        print(found["problem"])


def retention(
    *,
    videos: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Videos kept per run.", show_default=False)
    ] = None,
    checkpoints: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1000,
            help="Interval checkpoints kept per run, in addition to best and final.",
            show_default=False,
        ),
    ] = None,
    tensorboard: Annotated[
        int | None,
        typer.Option(min=1, max=1000, help="TensorBoard folders kept per run.", show_default=False),
    ] = None,
    lab_bytes: Annotated[
        str | None,
        typer.Option(
            metavar="BYTES",
            help="Maximum disk space of all runs, named models and datasets together, e.g. 20G; 0 = no limit.",
            show_default=False,
        ),
    ] = None,
    log_bytes: Annotated[
        str | None,
        typer.Option(
            metavar="BYTES",
            help="Maximum size of a run's logs, e.g. 20M; the end is kept.",
            show_default=False,
        ),
    ] = None,
    archive_after_days: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=36_500,
            help="Archive runs this many days after their end; 0 = never.",
            show_default=False,
        ),
    ] = None,
    runs_per_algorithm: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=1_000_000,
            help="Archive the oldest ended trainings beyond this number per algorithm; 0 = no limit.",
            show_default=False,
        ),
    ] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Reset to the defaults first.")] = False,
    as_json: AsJson = False,
) -> None:
    """Show or change how much is kept: older files are deleted, old runs archived, pinned ones never."""
    from rl_lab.cli.connection import open_lab

    wanted: dict[str, Any] = dict.fromkeys(LIMITS) if reset else {}
    given = {
        "videos": videos,
        "checkpoints": checkpoints,
        "tensorboard": tensorboard,
        "archive_after_days": archive_after_days,
        "runs_per_algorithm": runs_per_algorithm,
        "lab_bytes": parse_bytes(lab_bytes, "lab-bytes") if lab_bytes is not None else None,
        "log_bytes": parse_bytes(log_bytes, "log-bytes") if log_bytes is not None else None,
    }
    wanted |= {name: value for name, value in given.items() if value is not None}
    with open_lab() as client:
        state = client.put("/api/retention", wanted) if wanted else client.get("/api/retention")
    if as_json:
        print_json(state)
        return
    print_table(
        ("LIMIT", "VALUE", "DEFAULT"),
        [
            (name, _limit_text(name, value), _limit_text(name, state["default"][name]))
            for name, value in state["value"].items()
        ],
    )


def _limit_text(name: str, value: int) -> str:
    if value == 0:
        return "never" if name == "archive_after_days" else "no limit"
    return bytes_text(value) if name.endswith("_bytes") else str(value)


def archive(run: RunArgument, as_json: AsJson = False) -> None:
    """Pack a run's folder into one compressed file; the run can still be read as before."""
    _archive(run, True, {"archived", "archive_failed"}, as_json)


def unarchive(run: RunArgument, as_json: AsJson = False) -> None:
    """Unpack an archived run permanently."""
    _archive(run, False, {"restored"}, as_json)


def _archive(wanted: str, archived: bool, ends: set[str], as_json: bool) -> None:
    """Waits until it is done, because a lab started for this command exits with it."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        run_id = find_run_id(client, wanted)
        newest = client.get(f"/api/runs/{run_id}/events", limit=1)["items"]
        before = client.get(f"/api/runs/{run_id}")
        is_packed = client.get(f"/api/runs/{run_id}/usage")["archive_bytes"] > 0
        run = client.patch(f"/api/runs/{run_id}", {"archived": archived})
        message = f"{run_id} is {'archived' if archived else 'not archived'}."
        if before["archived"] != archived and is_packed != archived:
            message = _wait_for(client, run_id, newest[0]["id"] if newest else 0, ends)
    if as_json:
        print_json(run)
    else:
        print(message)


def _wait_for(client: LabClient, run_id: str, after: int, ends: set[str]) -> str:
    for name, event in client.stream(f"/api/runs/{run_id}/events", last_id=after):
        if name == "log" and event["type"] in ends:
            return str(event["message"])
    return "The lab stopped in the meantime; it will finish this at its next start."
