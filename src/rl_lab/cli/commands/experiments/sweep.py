"""`rl-lab sweep`: train many configurations, each with several seeds, as one study."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.code_argument import RewardOption, with_reward
from rl_lab.cli.arguments.dataset_argument import DatasetOption, read_dataset, runner_for_dataset
from rl_lab.cli.arguments.own_environment_argument import with_saved_environment
from rl_lab.cli.arguments.wrapper_argument import EnvArgs, Wrappers, environment_arguments
from rl_lab.cli.bell import Bell
from rl_lab.cli.commands.train import (
    Algorithm,
    Detach,
    Env,
    Params,
    Runner,
    Tags,
    Yes,
)
from rl_lab.cli.completion import complete_parameter
from rl_lab.cli.follow import FAILED
from rl_lab.cli.output import AsJson
from rl_lab.cli.run_creation import create_approved_study
from rl_lab.cli.run_options import RunOptionsCommand, takes_run_options, typed_options
from rl_lab.cli.studies.study_output import see_through
from rl_lab.cli.studies.study_requests import (
    STUDY_LABELS,
    parse_grid,
    parse_minutes,
    parse_ranges,
    parse_seeds,
    read_study_file,
    write_study_file,
)
from rl_lab.cli.terminal import print
from rl_lab.cli.values import parse_pairs
from rl_lab.core.errors import InvalidInput

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


def register(app: typer.Typer) -> None:
    app.command(cls=RunOptionsCommand)(sweep)


Grid = Annotated[
    list[str] | None,
    typer.Option(
        "--grid",
        metavar="NAME=A,B",
        help="Values of a parameter; repeatable: all combinations are trained.",
        autocompletion=complete_parameter,
    ),
]
Ranges = Annotated[
    list[str] | None,
    typer.Option(
        "--range",
        metavar="NAME=LOW:HIGH[:log]",
        help="A range of a parameter, or LOW:HIGH:STEP; repeatable.",
        autocompletion=complete_parameter,
    ),
]
Random = Annotated[int | None, typer.Option("--random", metavar="N", min=1, help="Draw N points at random.")]
Tpe = Annotated[
    int | None,
    typer.Option("--tpe", metavar="N", min=1, help="N points, each suggested from the results so far."),
]
Seeds = Annotated[
    str | None,
    typer.Option(
        "--seeds", metavar="K", help="Seeds for every point (default: 1): a number, or a list 3,7,11."
    ),
]
Minutes = Annotated[str | None, typer.Option("--for", metavar="TIME", help="End the study after 30m, 2h, …")]
MostRuns = Annotated[int | None, typer.Option("--runs", min=1, help="End the study after so many runs.")]
Prune = Annotated[bool, typer.Option("--prune", help="Stop points early whose curve is too low.")]
MeasureOption = Annotated[
    str | None,
    typer.Option(
        help="What points are judged by: final (the default, the mean reward at the end), best, area, evaluation, a "
        "number of the evaluation code of --evaluate-by, or metrics.NAME for a derived metric.",
        show_default=False,
    ),
]
Question = Annotated[str | None, typer.Option(help="What the study shall answer.")]
PlanFile = Annotated[Path | None, typer.Option("--file", metavar="FILE", help="A study file, JSON or YAML.")]
Template = Annotated[
    str | None, typer.Option("--template", help="A ready plan: learning-rate, network-size or real-gain.")
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write the study file instead of training (.json, .yaml)."
    ),
]


@takes_run_options(without=("--seed", "--for"))
def sweep(
    env: Env = None,
    algorithm: Algorithm = None,
    runner: Runner = None,
    *,
    grid: Grid = None,
    range_: Ranges = None,
    random: Random = None,
    tpe: Tpe = None,
    prune: Prune = False,
    seeds: Seeds = None,
    minutes: Minutes = None,
    runs: MostRuns = None,
    measure: MeasureOption = None,
    question: Question = None,
    file: PlanFile = None,
    template: Template = None,
    output: Output = None,
    set_: Params = None,
    dataset: DatasetOption = None,
    reward: RewardOption = None,
    env_arg: EnvArgs = None,
    wrapper: Wrappers = None,
    tag: Tags = None,
    detach: Detach = False,
    bell: Bell = None,
    yes: Yes = False,
    as_json: AsJson = False,
    **chosen: Any,
) -> int:
    """Train every point of a sweep with every seed; Ctrl-C stops the study."""
    from rl_lab.cli.connection import open_lab

    varied: dict[str, Any] = {"grid": grid, "range": range_, "random": random, "tpe": tpe, "prune": prune}
    chosen = typed_options(chosen)
    labels = {name: chosen.pop(name) for name in STUDY_LABELS if name in chosen}
    plan = {"question": question, "measure": measure, "tags": tag, **labels}
    plan |= {"seeds": parse_seeds(seeds) if seeds else None, "budget": _budget(minutes, runs)}
    base = {"env_id": env, "algorithm": algorithm, "runner": runner, **chosen}
    base |= {
        "params": parse_pairs(set_ or (), "--set"),
        "env_kwargs": environment_arguments(env_arg, wrapper),
        "dataset": read_dataset(dataset),
    }
    with open_lab() as client:
        base = with_saved_environment(client, base, yes=yes, quiet=as_json)
        study = _begin_with(client, base, file=file, template=template)
        study["base"] = with_reward(client, study["base"], reward, quiet=as_json)
        study |= {name: value for name, value in plan.items() if value not in (None, [], {})}
        if any(varied.values()):
            study["sweep"] = make_sweep(**varied)
            study.pop("variants", None)
        if "sweep" not in study and "variants" not in study:
            raise InvalidInput("The sweep varies nothing.", next_step=EXAMPLE)
        study.setdefault("seeds", 1)
        if output is not None:
            write_study_file(output, {"version": 1, **study, "base": _plain(study["base"])})
            print(f"{output} is written; start it with: rl-lab sweep --file {output}", file=sys.stderr)
            return 0
        study["start"] = True
        base = {"runner": None, "env_id": "", **study["base"]}
        created = create_approved_study(client, study, base, yes=yes, quiet=as_json)
        if created is None:
            return FAILED
        return see_through(client, created, detach=detach, bell=bell, as_json=as_json)


EXAMPLE = (
    "For example: rl-lab sweep CartPole-v1 --algorithm ppo --grid learning_rate=0.0003,0.001,0.003 --seeds 3"
)


def make_sweep(
    *, grid: list[str] | None, range: list[str] | None, random: int | None, tpe: int | None, prune: bool
) -> dict[str, Any]:
    """The sweep as typed: a grid unless --random or --tpe says how many points."""
    if random and tpe:
        raise InvalidInput("Give either --random or --tpe.")
    method = "tpe" if tpe else "random" if random else "grid"
    parameters = {**parse_grid(grid or ()), **parse_ranges(range or ())}
    both = len(grid or ()) + len(range or ())
    if both != len(parameters):
        raise InvalidInput("A parameter is given with --grid and with --range; give it once.")
    made: dict[str, Any] = {"method": method, "parameters": parameters}
    if method != "grid":
        made["points"] = tpe or random
    return {**made, "prune": True} if prune else made


def _budget(minutes: str | None, runs: int | None) -> dict[str, Any]:
    found = {"minutes": parse_minutes(minutes) if minutes else None, "runs": runs}
    return {name: value for name, value in found.items() if value is not None}


def _begin_with(
    client: LabClient, base: dict[str, Any], *, file: Path | None, template: str | None
) -> dict[str, Any]:
    """The plan to start from: that of a file or a template, else only the settings of the runs."""
    given = _plain(base)
    if file is not None:
        study = read_study_file(file)
        return {**study, "base": {**study["base"], **given}}
    if given.get("dataset"):
        return {"base": {"runner": runner_for_dataset(given.get("algorithm", "")), **given}}
    if base["env_id"] is None:
        raise InvalidInput.of_field("ENV", "Which environment?", EXAMPLE)
    if template is not None:
        study = _find_template(client, {"algorithm": "ppo", "runner": "turbo", **given}, template)
        return {**study, "base": {**study["base"], **given}}
    return {"base": {"algorithm": "ppo", "runner": None, **given}}


def _find_template(client: LabClient, base: dict[str, Any], wanted: str) -> dict[str, Any]:
    query = {name: base[name] for name in ("env_id", "algorithm", "runner")}
    found = {t["id"]: t for t in client.get("/api/studies/templates", **query)["items"]}
    if wanted not in found:
        raise InvalidInput.of_field("--template", f"There is no template “{wanted}”.", list(found))
    return _plain(found[wanted]["plan"])


def _plain(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in (None, {}, [], "")}
