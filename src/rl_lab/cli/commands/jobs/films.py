"""`rl-lab film`: a training shown through its checkpoints, or a play through its episodes, as one captioned video."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

import typer

from rl_lab.cli.arguments.play_argument import find_play
from rl_lab.cli.arguments.policy_argument import PolicyArgument, find_policy
from rl_lab.cli.jobs import file_of, print_failure, result_of, wait_for_job
from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.output_files import OutputOption, place_of, require_new_file, save_new
from rl_lab.cli.terminal import print
from rl_lab.core.bounds import MAX_SEED
from rl_lab.core.words.amounts import plural


def register(app: typer.Typer) -> None:
    app.command()(film)


def film(
    *,
    run: PolicyArgument,
    gif: Annotated[bool, typer.Option("--gif", help="A GIF instead of an MP4.")] = False,
    show: Annotated[
        Literal["checkpoints", "episodes"] | None,
        typer.Option(
            help="Checkpoints playing fresh episodes, or recorded episodes (default: checkpoints, if the lab can play "
            "them). A play has episodes only.",
            show_default=False,
        ),
    ] = None,
    scenes: Annotated[
        int, typer.Option(min=1, max=40, help="How many checkpoints or episodes to show.")
    ] = 10,
    seconds: Annotated[
        float, typer.Option(min=1, max=60, help="Longest time of one scene, in seconds.")
    ] = 6.0,
    style: Annotated[
        Literal["full", "captions", "plain"],
        typer.Option(
            help="full: title, captions, reward curve of a training, end with the facts; plain: pictures only."
        ),
    ] = "full",
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=MAX_SEED,
            help="Seed that every checkpoint plays (default: from the run's). Not for a play.",
            show_default=False,
        ),
    ] = None,
    stochastic: Annotated[
        bool, typer.Option("--stochastic", help="Sample actions as in training. Not for a play.")
    ] = False,
    output: OutputOption = None,
    as_json: AsJson = False,
) -> int:
    """Make one captioned video of a whole training, or of the episodes of a play."""
    from rl_lab.cli.connection import open_lab

    form = "gif" if gif else "mp4"
    if output is not None:
        require_new_file(output, f".{form}")
    with open_lab() as client:
        play = find_play(client, run)
        run_id, checkpoint = (play, None) if play is not None else find_policy(client, run)
        if checkpoint is not None:
            print(f"A film shows the whole training, not only {run}.", file=sys.stderr)
        wanted = {
            "format": form,
            "show": show,
            "scenes": scenes,
            "seconds_per_scene": seconds,
            "style": style,
            "seed": seed,
            "deterministic": not stochastic,
        }
        job = client.post(f"/api/runs/{run_id}/films", wanted)
        ended = wait_for_job(client, job, "Filming", quiet=as_json)
        result = result_of(ended)
        if ended["status"] == "succeeded" and output is not None:
            [made] = [a for a in client.get(f"/api/runs/{ended['id']}/artifacts") if a["kind"] == "film"]
            output = place_of(client, run_id, output, "film", f".{form}")
            save_new(client, made["id"], output)
    if as_json:
        print_json(ended)
    elif ended["status"] == "succeeded":
        print(
            f"Film of {plural(len(result['scenes']), 'scene')}: {output or file_of(ended['id'], result['film'])}"
        )
    else:
        return print_failure(ended)
    return 0 if ended["status"] == "succeeded" else 1
