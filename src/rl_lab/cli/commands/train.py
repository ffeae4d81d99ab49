"""`rl-lab train`: create a run, watch it, and end with its folder, its numbers and its evaluation."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.commands.runners import put_root
from rl_lab.cli.commands.runs import print_run
from rl_lab.cli.commands.scripts import agree
from rl_lab.cli.follow import FAILED, exit_code, follow_run
from rl_lab.cli.jobs import wait_until_started
from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.values import parse_pairs

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


class Device(StrEnum):
    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"


class Until(StrEnum):
    timesteps = "timesteps"
    solved = "solved"


def register(app: typer.Typer) -> None:
    app.command()(train)


def _complete_env(incomplete: str) -> list[str]:
    from rl_lab.cli.connection import find_lab, read_settings
    from rl_lab.core.errors import LabError

    try:
        client = find_lab(read_settings().home_path)
        if client is None:
            return []
        with client:
            return [e["id"] for e in client.get("/api/environments") if e["id"].startswith(incomplete)]
    except LabError:
        return []


def train(
    env: Annotated[
        str,
        typer.Argument(metavar="ENV", help="Environment, e.g. CartPole-v1.", autocompletion=_complete_env),
    ],
    algorithm: Annotated[str, typer.Option("--algorithm", "-a", help="ppo, dqn, a2c, sac, td3, …")],
    runner: Annotated[str, typer.Option(help="Who trains; `rl-lab runners` lists them.")] = "sb3",
    root: Annotated[
        Path | None,
        typer.Option(
            help="Folder of the checkout whose scripts train; it is remembered.", show_default=False
        ),
    ] = None,
    timesteps: Annotated[
        int | None,
        typer.Option(
            "--timesteps",
            "-n",
            min=1,
            help="Steps to train (default: the preset's, else 100000).",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed (default: drawn, and kept).", show_default=False)
    ] = None,
    preset: Annotated[str | None, typer.Option(help="fast, stable, high_score, short, medium, long")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="A hyper-parameter; repeatable.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the run.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag; repeatable.")] = None,
    env_arg: Annotated[
        list[str] | None,
        typer.Option("--env-arg", metavar="NAME=VALUE", help="An argument of the environment; repeatable."),
    ] = None,
    device: Annotated[Device, typer.Option(help="Where the networks live.")] = Device.auto,
    until: Annotated[
        Until, typer.Option(help="solved: end early once the environment is solved.")
    ] = Until.timesteps,
    no_record: Annotated[bool, typer.Option("--no-record", help="Keep no episodes for replay.")] = False,
    evaluate: Annotated[int, typer.Option(min=0, max=100, help="Episodes of the evaluation afterwards.")] = 5,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Leave when the training has ended; its evaluation goes on.")
    ] = False,
    detach: Annotated[
        bool, typer.Option("--detach", "-d", help="Leave once it is running; it goes on.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Agree to a script without being asked.")] = False,
    as_json: AsJson = False,
) -> int:
    """Train an agent; Ctrl-C stops it politely with a checkpoint, a second one ends it at once."""
    from rl_lab.cli.commands.evaluations import evaluate_after_training, report
    from rl_lab.cli.connection import open_lab, read_settings

    wanted = {
        "env_id": env, "algorithm": algorithm, "runner": runner, "total_timesteps": timesteps, "seed": seed,
        "preset": preset, "params": _underscored(parse_pairs(set_ or (), "--set")), "name": name, "tags": tag or [],
        "env_kwargs": parse_pairs(env_arg or (), "--env-arg"), "device": device.value, "until": until.value,
        "record": not no_record, "evaluate_after": evaluate, "start": True,
    }  # fmt: skip
    with open_lab() as client:
        if root is not None:
            put_root(client, root, runner)
        run = _create(client, wanted, yes=yes, quiet=as_json)
        if run is None:
            print("Not run.", file=sys.stderr)
            return FAILED
        if detach:
            run = wait_until_started(client, run)
            interrupted = False
        else:
            interrupted = follow_run(client, run, quiet=as_json)
            run = client.get(f"/api/runs/{run['id']}")
        folder = str(read_settings().home_path / "runs" / run["id"])
        if not as_json:
            print_run(run, folder)
        is_evaluated = run["status"] == "succeeded" and run["config"]["evaluate_after"] > 0
        evaluation = None
        if is_evaluated and not detach:
            evaluation = evaluate_after_training(client, run, wait=not no_wait, quiet=as_json)
    if as_json:
        print_json({**run, "folder": folder, "evaluation": evaluation})
    elif evaluation is not None and not no_wait:
        report(evaluation, as_json=False)
    return exit_code(run["status"], interrupted)


def _create(client: LabClient, wanted: dict[str, Any], *, yes: bool, quiet: bool) -> dict[str, Any] | None:
    """A script of the user's is shown and agreed to before it runs; None when the answer is no."""
    from rl_lab.core.errors import ConsentNeeded, LabError

    try:
        run: dict[str, Any] = client.post("/api/runs", wanted)
    except LabError as error:
        if error.status != ConsentNeeded.status:
            raise
        preview = client.post("/api/commands/preview", wanted)
        if not agree(preview, yes=yes, quiet=quiet):
            return None
        run = client.post("/api/runs", {**wanted, "consent": preview["sha256"]})
    return run


def _underscored(params: dict[str, Any]) -> dict[str, Any]:
    """Scripts spell their arguments with dashes, the lab its parameters with underscores; both are understood."""
    return {name.replace("-", "_"): value for name, value in params.items()}
