"""`rl-lab fork`: continues a recorded episode from one step with another checkpoint, or at random."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rl_lab.cli.arguments.checkpoint_argument import CheckpointOption, find_checkpoint, split_run
from rl_lab.cli.arguments.run_argument import RunArgument, find_run_id
from rl_lab.cli.commands.episodes import find_episode
from rl_lab.cli.completion import complete_run
from rl_lab.cli.jobs import print_failure, result_of, wait_for_job
from rl_lab.cli.output import AsJson, number, print_json, print_table
from rl_lab.cli.terminal import print


def register(app: typer.Typer) -> None:
    app.command()(fork)


def fork(
    *,
    run: RunArgument,
    episode: Annotated[
        str, typer.Argument(metavar="EPISODE", help="Its number, or best, worst, first, latest.")
    ],
    step: Annotated[int, typer.Argument(metavar="STEP", min=0, help="The step to continue from.")],
    checkpoint: CheckpointOption = None,
    of: Annotated[
        str | None,
        typer.Option(
            "--of",
            metavar="RUN",
            help="The run of the checkpoint (default: this one).",
            show_default=False,
            autocompletion=complete_run,
        ),
    ] = None,
    random: Annotated[bool, typer.Option("--random", help="Continue with random actions.")] = False,
    seed: Annotated[int, typer.Option(min=0, help="Seed for random actions and sampling.")] = 0,
    stochastic: Annotated[bool, typer.Option("--stochastic", help="Sample actions as in training.")] = False,
    as_json: AsJson = False,
) -> int:
    """Replay an episode up to a step, then let another policy play."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        run_id = find_run_id(client, run)
        number_ = find_episode(client, run_id, episode)["episode"]
        named, at = split_run(of or run_id)
        other = find_run_id(client, named)
        wanted: dict[str, Any] = {"step": step, "seed": seed, "deterministic": not stochastic}
        if random:
            wanted["policy"] = "random"
        else:
            wanted |= {
                "checkpoint_run_id": other,
                "checkpoint": find_checkpoint(client, other, checkpoint or at),
            }
        job = client.post(f"/api/runs/{run_id}/episodes/{number_}/forks", wanted)
        ended = wait_for_job(client, job, f"Forking episode {number_} at step {step}", quiet=as_json)
    if as_json:
        print_json(ended)
    elif ended["status"] == "succeeded":
        _print_fork(ended, result_of(ended))
    else:
        return print_failure(ended)
    return 0 if ended["status"] == "succeeded" else 1


def _print_fork(job: dict[str, Any], result: dict[str, Any]) -> None:
    ended = "terminated" if result["terminated"] else "truncated"
    print_table(
        ("", "RETURN", "LENGTH", "ENDED"),
        [
            (f"episode {result['parent_episode']}", number(result["parent_return"]), "", ""),
            (f"forked at {result['forked_at']}", number(result["return"]), str(result["length"]), ended),
        ],
    )
    print(f"The new recording: rl-lab replay {job['id']} 0")
