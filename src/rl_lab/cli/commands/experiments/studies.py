"""`rl-lab studies`: lists studies; its sub-commands show, move, delete and extend one."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from rl_lab.cli.arguments.run_argument import MAX_PAGE
from rl_lab.cli.bell import Bell
from rl_lab.cli.commands.train import Detach
from rl_lab.cli.output import AsJson, ago, duration, number, print_json, print_table
from rl_lab.cli.studies.study_argument import StudyArgument, find_study_id
from rl_lab.cli.studies.study_output import report, see_through
from rl_lab.cli.studies.study_requests import parse_seeds, write_study_file
from rl_lab.cli.terminal import print

group = typer.Typer(
    help="List studies; its commands show, move, delete and extend one.", invoke_without_command=True
)


def register(app: typer.Typer) -> None:
    app.add_typer(group, name="studies")


@group.callback()
def studies(
    context: typer.Context,
    *,
    status: Annotated[list[str] | None, typer.Option(help="Only studies in this state; repeatable.")] = None,
    search: Annotated[
        str | None, typer.Option("--search", "-q", help="Words of the name, question or tags.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=MAX_PAGE, help="Maximum number of studies.")] = 20,
    as_json: AsJson = False,
) -> None:
    """List studies, newest first; its commands show, move, delete and extend one."""
    from rl_lab.cli.connection import open_lab

    if context.invoked_subcommand is not None:
        return
    with open_lab() as client:
        page = client.get("/api/studies", status=status, q=search, limit=limit)
    if as_json:
        print_json(page)
        return
    print_table(
        ("STUDY", "NAME", "STATUS", "RUNS", "VARIANTS", "CREATED"), [_row(study) for study in page["items"]]
    )
    if page["total"] > len(page["items"]):
        print(f"{len(page['items'])} of {page['total']} studies; --limit shows more.")


def _row(study: dict[str, Any]) -> tuple[str, ...]:
    counts = study["counts"]
    return (
        study["id"],
        study["name"],
        study["status"],
        f"{counts['succeeded']:,}/{counts['planned']:,}",
        number(counts["variants"], 0),
        ago(study["created_at"]),
    )


@group.command()
def show(study: StudyArgument, as_json: AsJson = False) -> None:
    """Show one study: state, runs, seeds, and a table of its variants."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        found = client.get(f"/api/studies/{find_study_id(client, study)}")
        report(client, found, as_json=as_json)


@group.command()
def stop(study: StudyArgument, as_json: AsJson = False) -> None:
    """Stop a study: its running runs stop with a checkpoint, the others leave the queue."""
    _move(study, "stop", as_json)


@group.command()
def pause(study: StudyArgument, as_json: AsJson = False) -> None:
    """Hold back the runs of a study that wait; those that run continue."""
    _move(study, "pause", as_json)


@group.command()
def resume(
    study: StudyArgument, *, detach: Detach = False, bell: Bell = None, as_json: AsJson = False
) -> int:
    """Let a paused study continue; a stopped or failed one trains what is missing."""
    return _start(study, "resume", detach=detach, bell=bell, as_json=as_json)


@group.command()
def start(study: StudyArgument, *, detach: Detach = False, bell: Bell = None, as_json: AsJson = False) -> int:
    """Start a study that was created on the page or over the API."""
    return _start(study, "start", detach=detach, bell=bell, as_json=as_json)


def _move(wanted: str, move: str, as_json: bool) -> None:
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        moved = client.post(f"/api/studies/{find_study_id(client, wanted)}/{move}")
    if as_json:
        print_json(moved)
    else:
        print(f"{moved['id']} is {moved['status']}.")


def _start(wanted: str, move: str, *, detach: bool, bell: bool | None, as_json: bool) -> int:
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        moved = client.post(f"/api/studies/{find_study_id(client, wanted)}/{move}")
        return see_through(client, moved, detach=detach, bell=bell, as_json=as_json)


@group.command()
def delete(study: StudyArgument, as_json: AsJson = False) -> None:
    """Delete a study with its runs; for a limited time `studies restore` can undo this."""
    from rl_lab.cli.connection import open_lab, read_settings

    with open_lab() as client:
        deleted = client.delete(f"/api/studies/{find_study_id(client, study)}")
    if as_json:
        print_json(deleted)
    else:
        undo = f"To undo within {duration(read_settings().undo_s)}: rl-lab studies restore {deleted['id']}"
        print(f"{deleted['id']} is deleted. {undo}")


@group.command()
def restore(
    study: Annotated[str, typer.Argument(metavar="STUDY", help="Full id of the deleted study.")],
    as_json: AsJson = False,
) -> None:
    """Restore a deleted study and the runs that were deleted with it."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        restored = client.post(f"/api/studies/{study}/restore")
    if as_json:
        print_json(restored)
    else:
        print(f"{restored['id']} ({restored['name']}) is restored.")


@group.command()
def add_seeds(
    study: StudyArgument,
    seeds: Annotated[str, typer.Argument(metavar="SEEDS", help="How many, or a list: 3,7,11.")],
    *,
    variant: Annotated[
        list[int] | None,
        typer.Option(help="Only this variant, by its number; repeatable.", show_default=False),
    ] = None,
    detach: Detach = False,
    bell: Bell = None,
    as_json: AsJson = False,
) -> int:
    """Train variants of a study with more seeds; a study that had ended continues."""
    from rl_lab.cli.connection import open_lab

    parsed = parse_seeds(seeds)
    more: dict[str, Any] = {"count": parsed} if isinstance(parsed, int) else {"seeds": parsed}
    if variant:
        more["variants"] = variant
    with open_lab() as client:
        found = client.post(f"/api/studies/{find_study_id(client, study)}/seeds", more)
        if found["status"] == "created":
            report(client, found, as_json=as_json)
            return 0
        return see_through(client, found, detach=detach, bell=bell, as_json=as_json)


@group.command()
def confirm(
    study: StudyArgument,
    *,
    variant: Annotated[
        int | None, typer.Option(min=1, help="Number of the variant (default: the best).", show_default=False)
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="Fresh seeds, never used in the study.")] = 5,
    detach: Detach = False,
    bell: Bell = None,
    as_json: AsJson = False,
) -> int:
    """Train the best variant again with fresh seeds, against the base: the best of many is partly luck."""
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.errors import NotReady

    with open_lab() as client:
        study_id = find_study_id(client, study)
        chosen = variant or client.get(f"/api/studies/{study_id}")["best_variant"]
        if chosen is None:
            raise NotReady(
                "No variant has a value yet.", next_step="Wait for a run to end, or name a --variant."
            )
        created = client.post(f"/api/studies/{study_id}/confirmations", {"variant": chosen, "seeds": seeds})
        return see_through(client, created, detach=detach, bell=bell, as_json=as_json)


@group.command()
def importance(study: StudyArgument, as_json: AsJson = False) -> None:
    """Show which parameters of a sweep mattered, and which may be chance."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        answer = client.get(f"/api/studies/{find_study_id(client, study)}/importance")
    if as_json:
        print_json(answer)
        return
    print(answer["text"])
    if answer["parameters"]:
        rows = [
            (found["title"], f"{100 * found['share']:.0f} %", "" if found["is_clear"] else "may be chance")
            for found in answer["parameters"]
        ]
        print_table(("PARAMETER", "SHARE", ""), rows)
        print(f"{answer['method']}, {answer['variants']:,} variants, by {answer['measure']}.")


@group.command()
def export_file(
    study: StudyArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Where to write it (.json, .yaml); absent: print YAML."
        ),
    ] = None,
) -> None:
    """Write the plan of a study as a file that `rl-lab sweep --file` starts again, after editing if you like."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        study_id = find_study_id(client, study)
        if output is None:
            print(client.text(f"/api/studies/{study_id}/file", format="yaml"), end="")
            return
        write_study_file(output, client.get(f"/api/studies/{study_id}/file"))
    print(f"{output} is written.", file=sys.stderr)
