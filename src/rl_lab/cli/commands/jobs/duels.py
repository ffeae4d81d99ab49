"""`rl-lab duel`: two or more runs on the same seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.play_argument import find_play
from rl_lab.cli.arguments.policy_argument import find_policy
from rl_lab.cli.completion import complete_policy
from rl_lab.cli.jobs import file_of, print_failure, result_of, wait_for_job
from rl_lab.cli.output import AsJson, interval, number, print_json, print_table
from rl_lab.cli.output_files import ForceOption, OutputOption, require_result_file, save_result
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


def register(app: typer.Typer) -> None:
    app.command()(duel)


def duel(
    *,
    runs: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN RUN…",
            help="Runs or named models; RUN@best, RUN@STEP and MODEL@LABEL name one of their checkpoints. A play is "
            "compared by its finished episodes, on whose seeds the others play.",
            autocompletion=complete_policy,
        ),
    ],
    episodes: Annotated[int, typer.Option("--episodes", "-e", min=1, max=100, help="Number of seeds.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Seed from which the episodes' seeds are derived.")] = 0,
    stochastic: Annotated[bool, typer.Option("--stochastic", help="Sample actions as in training.")] = False,
    no_video: Annotated[bool, typer.Option("--no-video", help="Make no video.")] = False,
    output: OutputOption = None,
    force: ForceOption = False,
    as_json: AsJson = False,
) -> int:
    """Play the same seeds with several checkpoints and compare their returns."""
    from rl_lab.cli.connection import open_lab

    require_result_file(output, force)
    with open_lab() as client:
        wanted = {
            "contestants": [_contestant(client, run) for run in runs],
            "episodes": episodes,
            "seed": seed,
            "deterministic": not stochastic,
            "record": not no_video,
        }
        job = client.post("/api/duels", wanted)
        ended = wait_for_job(client, job, f"Playing {episodes} seeds", quiet=as_json)
        if output is not None and ended["status"] == "succeeded":
            output = save_result(client, ended, output, force)
    result = result_of(ended)
    if as_json:
        print_json(ended)
    elif "sides" not in result:
        return print_failure(ended)
    else:
        print_duel(ended, result)
        if output is not None:
            print(f"Written: {output}")
    return 0 if ended["status"] == "succeeded" else 1


def _contestant(client: LabClient, wanted: str) -> dict[str, Any]:
    play = find_play(client, wanted)
    return {"run_id": play} if play is not None else find_policy(client, wanted)._asdict()


def print_duel(job: dict[str, Any], result: dict[str, Any]) -> None:
    print_table(
        ("SIDE", "RETURN", "± ", "WINS"),
        [
            (
                side["label"],
                number(side["summary"]["return_mean"]),
                number(side["summary"]["return_std"]),
                str(side["wins"]),
            )
            for side in result["sides"]
        ],
    )
    print_table(
        ("DIFFERENCE", "MEAN", "INTERVAL", "WON", "LOST", "TIED"),
        map(_difference, result["differences"]),
    )
    if result["video"]:
        print(f"Video: {file_of(job['id'], result['video'])}")


def _difference(found: dict[str, Any]) -> tuple[str, ...]:
    return (
        f"{found['first']} − {found['second']}",
        number(found["mean"], 2),
        interval(found["ci"], found["ci_level"], digits=2),
        *(str(found[name]) for name in ("wins_first", "wins_second", "ties")),
    )
