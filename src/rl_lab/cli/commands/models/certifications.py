"""`rl-lab certify`: trains unbroken, and broken and resumed, and reports whether both are the same to the last bit."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from rl_lab.cli.arguments.own_environment_argument import with_saved_environment
from rl_lab.cli.arguments.run_argument import find_run_id
from rl_lab.cli.arguments.wrapper_argument import EnvArgs, Wrappers, environment_arguments
from rl_lab.cli.commands.train import Algorithm, Params
from rl_lab.cli.commands.workbench.codes import Yes
from rl_lab.cli.completion import complete_environment, complete_run, complete_runner
from rl_lab.cli.jobs import FAILED, file_of, print_failure, result_of, wait_for_job
from rl_lab.cli.output import AsJson, print_json, print_table
from rl_lab.cli.terminal import print
from rl_lab.cli.values import parse_pairs
from rl_lab.core.errors import InvalidInput


def register(app: typer.Typer) -> None:
    app.command("certify")(certify_run)


def certify_run(
    run: Annotated[
        str | None,
        typer.Argument(
            metavar="[RUN]",
            help="Run id or its first characters, name, `latest` or `best`; or give --env.",
            autocompletion=complete_run,
            show_default=False,
        ),
    ] = None,
    *,
    runner: Annotated[
        str | None,
        typer.Option(
            help="Training backend that can resume; `rl-lab runners` lists them (default: sb3).",
            show_default=False,
            autocompletion=complete_runner,
        ),
    ] = None,
    algorithm: Algorithm = None,
    env: Annotated[
        str | None,
        typer.Option(
            help="Certify a learner without a run, in this environment: an id, or a file or folder of your own.",
            autocompletion=complete_environment,
            show_default=False,
        ),
    ] = None,
    timesteps: Annotated[
        int | None,
        typer.Option(
            "--timesteps",
            "-n",
            min=1,
            help="Steps of each training (default: those of the run, at most 20,000).",
            show_default=False,
        ),
    ] = None,
    whole: Annotated[bool, typer.Option("--whole", help="Each training is as long as the run.")] = False,
    breaks: Annotated[
        int,
        typer.Option(
            min=1,
            max=200,
            help="How often it is broken and resumed: by a stop, by kill -9, from a random checkpoint, in turn.",
        ),
    ] = 3,
    break_seed: Annotated[int, typer.Option(min=0, help="Chooses the steps at which it is broken.")] = 0,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the trainings, without a run.", show_default=False)
    ] = None,
    set_: Params = None,
    env_arg: EnvArgs = None,
    wrapper: Wrappers = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> int:
    """Train unbroken, and broken and resumed, and compare every weight, episode and metric: identical or not."""
    from rl_lab.cli.connection import open_lab

    learner = {
        "runner": runner,
        "algorithm": algorithm,
        "env_id": env,
        "seed": seed,
        "params": parse_pairs(set_ or (), "--set"),
        "env_kwargs": environment_arguments(env_arg, wrapper),
    }
    learner = {name: value for name, value in learner.items() if value not in (None, {})}
    require_one_form(run, learner, whole=whole)
    wanted: dict[str, Any] = {"breaks": breaks, "break_seed": break_seed}
    if timesteps is not None:
        wanted["timesteps"] = timesteps
    with open_lab() as client:
        if run is None:
            learner = with_saved_environment(client, learner, yes=yes, quiet=as_json)
            job = client.post("/api/certificates", {"algorithm": "ppo", **learner, **wanted})
        else:
            run_id = find_run_id(client, run, is_training=True)
            job = client.post(f"/api/runs/{run_id}/certificates", {**wanted, "whole": whole})
        ended = wait_for_job(client, job, "Certifying", quiet=as_json)
    return report(ended, as_json)


def require_one_form(run: str | None, learner: dict[str, Any], *, whole: bool) -> None:
    """Either a run, or a learner and an environment."""
    if run is None and "env_id" not in learner:
        raise InvalidInput.of_field("RUN", "Name a run, or a learner with --env (and --runner, --algorithm).")
    if run is not None and learner:
        raise InvalidInput.of_field(
            "RUN", "A run is certified with its own configuration; leave out the options of a learner."
        )
    if run is None and whole:
        raise InvalidInput.of_field("--whole", "It belongs to a run; give --timesteps instead.")


def report(job: dict[str, Any], as_json: bool) -> int:
    """Prints an ended certification; returns the exit code: 0 when it is identical."""
    result = result_of(job)
    if as_json:
        print_json(job)
    elif "verdict" not in result:
        return print_failure(job)
    else:
        print_result(job, result)
    return 0 if result.get("verdict") == "identical" else FAILED


def print_result(job: dict[str, Any], result: dict[str, Any]) -> None:
    from rl_lab.core.reproduction.certifications import CertificationResult

    found = CertificationResult.model_validate(result)
    rows = [
        ("exact resume", found.verdict.upper()),
        ("learner", f"{found.runner} {found.algorithm} on {found.env_id}, seed {found.seed}"),
        ("steps", f"{found.steps:,}"),
        ("compared", found.amounts),
    ]
    for one in found.breaks:
        rows.append((one.sentence, "different" if one.first_difference else "identical"))
    if found.first_difference is not None:
        rows.append(("first difference", found.first_difference.describe("unbroken", "resumed")))
    print_table(("CERTIFICATION", job["parent_id"]), rows)
    for reason in found.probable_reasons:
        print(f"Probable reason: {reason}")
    for note in found.notes:
        print(f"Note: {note}")
    print(f"Certificate: {file_of(job['parent_id'], 'resume-certificate.html')}")
