"""`rl-lab checkpoint`: lists the checkpoints of a run, and tags, notes and pins single ones."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rl_lab.cli.arguments.checkpoint_argument import get_checkpoint, list_checkpoints, split_run
from rl_lab.cli.arguments.run_argument import find_run_id
from rl_lab.cli.completion import complete_run
from rl_lab.cli.output import AsJson, ago, bytes_text, number, print_json, print_table
from rl_lab.cli.terminal import print
from rl_lab.core.errors import InvalidInput

CheckpointArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN[@CHECKPOINT]",
        help="A run, or one of its checkpoints: RUN@best, RUN@newest, RUN@40000, RUN@TAG.",
        autocompletion=complete_run,
    ),
]


def register(app: typer.Typer) -> None:
    app.command("checkpoint")(checkpoint)


def checkpoint(
    *,
    checkpoint: CheckpointArgument,
    tag: Annotated[list[str] | None, typer.Option(help="Add a tag; repeatable.", show_default=False)] = None,
    untag: Annotated[
        list[str] | None, typer.Option(help="Remove a tag; repeatable.", show_default=False)
    ] = None,
    note: Annotated[
        str | None, typer.Option(help="Write a note; an empty text removes it.", show_default=False)
    ] = None,
    pin: Annotated[
        bool | None,
        typer.Option("--pin/--unpin", help="A pinned file is never pruned.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the checkpoints of a run, or tag, note and pin one of them; a tag or a note pins it, too."""
    from rl_lab.cli.connection import open_lab

    run, wanted = split_run(checkpoint)
    is_edit = bool(tag or untag) or note is not None or pin is not None
    if wanted is None and is_edit:
        raise InvalidInput.of_field(
            "checkpoint", f"“{run}” is a whole run; name one of its checkpoints.", f"{run}@best"
        )
    with open_lab() as client:
        run_id = find_run_id(client, run, is_training=True)
        if wanted is None:
            found = list_checkpoints(client, run_id)
        else:
            one = get_checkpoint(client, run_id, wanted)
            if is_edit:
                one = client.patch(f"/api/artifacts/{one['id']}", _changes(one, tag, untag, note, pin))
            found = [one]
    if as_json:
        print_json(found if wanted is None else found[0])
    elif not found:
        print("The run has no checkpoint yet.")
    else:
        _print(found)


def _changes(
    one: dict[str, Any], tag: list[str] | None, untag: list[str] | None, note: str | None, pin: bool | None
) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if tag or untag:
        kept = [known for known in one["tags"] if known not in (untag or ())]
        changes["tags"] = [*kept, *(new for new in tag or () if new not in kept)]
    if note is not None:
        changes["note"] = note
    if pin is not None:
        changes["pinned"] = pin
    return changes


def _print(found: list[dict[str, Any]]) -> None:
    print_table(
        ("STEP", "ROLE", "BY TRAINING", "BY EVALUATION", "SIZE", "TAGS", "PINNED", "NOTE", "CREATED"),
        [
            (
                number(one["timestep"], 0),
                one["role"] or "",
                _mean(one["score"], one["score_episodes"]),
                _mean(one["evaluation_mean"], (one["evaluation"] or {}).get("episodes")),
                bytes_text(one["size"]),
                ", ".join(one["tags"]),
                "pinned" if one["pinned"] else "",
                one["note"],
                ago(one["created_at"]),
            )
            for one in found
        ],
    )


def _mean(mean: float | None, episodes: int | None) -> str:
    """ "213.4 (5)": the mean, and how many episodes it is over."""
    if mean is None:
        return ""
    return f"{number(mean)} ({episodes})" if episodes else number(mean)
