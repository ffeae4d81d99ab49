"""`rl-lab train` and `again`: create a run, follow it, and print its folder, its numbers and its evaluation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rl_lab.cli.arguments.code_argument import (
    RewardOption,
    find_saved,
    with_reward,
    with_reward_source,
)
from rl_lab.cli.arguments.dataset_argument import (
    DatasetOption,
    learns_from_dataset,
    read_dataset,
    runner_for_dataset,
)
from rl_lab.cli.arguments.own_environment_argument import with_saved_environment
from rl_lab.cli.arguments.run_argument import RunArgument, find_run_id
from rl_lab.cli.arguments.start_argument import FromOption, find_start, start_settings
from rl_lab.cli.arguments.wrapper_argument import EnvArgs, Wrappers, environment_arguments
from rl_lab.cli.bell import Bell
from rl_lab.cli.commands.runners import put_root
from rl_lab.cli.completion import (
    complete_algorithm,
    complete_environment,
    complete_parameter,
    complete_runner,
)
from rl_lab.cli.config_file import given_settings, read_config, replace_settings
from rl_lab.cli.corrections import create_corrected
from rl_lab.cli.follow import FAILED
from rl_lab.cli.output import AsJson
from rl_lab.cli.run_creation import create_approved_study, create_run, post_run
from rl_lab.cli.run_options import RunOptionsCommand, takes_run_options, typed_options
from rl_lab.cli.studies.study_output import see_through
from rl_lab.cli.studies.study_requests import STUDY_LABELS, parse_seeds
from rl_lab.cli.trainings import see_training_through
from rl_lab.cli.values import parse_pairs

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


def register(app: typer.Typer) -> None:
    app.command(cls=RunOptionsCommand)(train)
    app.command(cls=RunOptionsCommand)(again)


Env = Annotated[
    str | None,
    typer.Argument(
        metavar="ENV",
        help="Environment, e.g. CartPole-v1, or a file or folder with your own; not needed with --config, --from or "
        "--dataset.",
        autocompletion=complete_environment,
        show_default=False,
    ),
]
Algorithm = Annotated[
    str | None,
    typer.Option(
        "--algorithm",
        "-a",
        help="ppo, dqn, a2c, sac, td3, … (default: ppo).",
        autocompletion=complete_algorithm,
        show_default=False,
    ),
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        help="Settings of an earlier run (its config.json); options given here replace them.",
        show_default=False,
    ),
]
Runner = Annotated[
    str | None,
    typer.Option(
        help="Training backend; `rl-lab runners` lists them (default: turbo if it can learn this, else sb3).",
        show_default=False,
        autocompletion=complete_runner,
    ),
]
Root = Annotated[
    Path | None,
    typer.Option(help="Folder of the checkout with the training scripts; it is saved.", show_default=False),
]
Params = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="A hyper-parameter; repeatable.",
        autocompletion=complete_parameter,
    ),
]
Tags = Annotated[list[str] | None, typer.Option(help="A tag; repeatable.")]
Seeds = Annotated[
    str | None,
    typer.Option(
        "--seeds",
        metavar="K",
        help="Train with several seeds as one study: a number, or a list such as 3,7,11.",
        show_default=False,
    ),
]
NoWait = Annotated[
    bool, typer.Option("--no-wait", help="Return when the training has ended; its evaluation continues.")
]
Detach = Annotated[bool, typer.Option("--detach", "-d", help="Return once it is running; it continues.")]
Yes = Annotated[
    bool, typer.Option("--yes", "-y", help="Approve a script or an installation without being asked.")
]


@takes_run_options()
def train(
    env: Env = None,
    algorithm: Algorithm = None,
    runner: Runner = None,
    root: Root = None,
    *,
    config: ConfigFile = None,
    set_: Params = None,
    tag: Tags = None,
    env_arg: EnvArgs = None,
    wrapper: Wrappers = None,
    start: FromOption = None,
    dataset: DatasetOption = None,
    reward: RewardOption = None,
    seeds: Seeds = None,
    no_wait: NoWait = False,
    detach: Detach = False,
    bell: Bell = None,
    yes: Yes = False,
    as_json: AsJson = False,
    **chosen: Any,
) -> int:
    """Train an agent; Ctrl-C stops it with a checkpoint, a second Ctrl-C ends it at once."""
    from rl_lab.cli.connection import open_lab

    if seeds is not None:
        chosen = typed_options(chosen)
    given = {
        "env_id": env,
        "algorithm": algorithm,
        "runner": runner,
        "params": _underscored(parse_pairs(set_ or (), "--set")),
        "tags": tag or [],
        "env_kwargs": environment_arguments(env_arg, wrapper),
        "dataset": read_dataset(dataset),
        **chosen,
    }
    file = replace_settings(with_reward_source(read_config(config), config), given) if config else None
    wanted = file if file is not None or start else _complete(given)
    with open_lab() as client:
        if start is not None:
            wanted = _with_start(client, wanted, given, start)
        assert wanted is not None
        wanted = with_saved_environment(client, wanted, yes=yes, quiet=as_json)
        wanted = with_reward(client, wanted, reward, quiet=as_json)
        wanted["start"] = True
        if root is not None:
            put_root(client, root, runner)
        if seeds is not None:
            study = create_approved_study(client, *_as_study(wanted, seeds, config), yes=yes, quiet=as_json)
            return (
                FAILED
                if study is None
                else see_through(client, study, detach=detach, bell=bell, as_json=as_json)
            )
        run = create_corrected(
            lambda wanted: create_run(client, wanted, yes=yes, quiet=as_json), wanted, yes=yes, quiet=as_json
        )
        return see_training_through(client, run, no_wait=no_wait, detach=detach, bell=bell, as_json=as_json)


@takes_run_options()
def again(
    run: RunArgument,
    *,
    set_: Params = None,
    env_arg: EnvArgs = None,
    reward: RewardOption = None,
    wrapper: Wrappers = None,
    no_wait: NoWait = False,
    detach: Detach = False,
    bell: Bell = None,
    yes: Yes = False,
    as_json: AsJson = False,
    **chosen: Any,
) -> int:
    """Train once more with the settings and the seed of a run; options given here replace them."""
    from rl_lab.cli.connection import open_lab
    from rl_lab.core.workbench.code_kinds import CodeKind

    given = {
        "params": _underscored(parse_pairs(set_ or (), "--set")),
        "env_kwargs": environment_arguments(env_arg, wrapper),
        **chosen,
    }
    with open_lab() as client:
        found = client.get(f"/api/runs/{find_run_id(client, run)}")
        env_id = found["config"].get("env_id")
        given["reward"] = find_saved(client, CodeKind.reward, reward, env_id=env_id, quiet=as_json)
        created = _repeat_changed(client, found, given, yes=yes, quiet=as_json)
        return see_training_through(
            client, created, no_wait=no_wait, detach=detach, bell=bell, as_json=as_json
        )


def _repeat_changed(
    client: LabClient, run: dict[str, Any], given: dict[str, Any], *, yes: bool, quiet: bool
) -> dict[str, Any] | None:
    """The same training, or one with other settings. The lab refuses what it cannot repeat, with the reason."""
    is_same = not given_settings(given).keys() - {"seed"}
    if is_same or run["source"] is not None or run["kind"] != "train":
        return _repeat(client, run["id"], given.get("seed"), yes=yes, quiet=quiet)
    base = client.get(f"/api/runs/{run['id']}/config")
    wanted = {**replace_settings(base, given), "tags": run["tags"], "start": True}
    return create_run(client, wanted, yes=yes, quiet=quiet)


def _repeat(
    client: LabClient, run_id: str, seed: int | None, *, yes: bool, quiet: bool
) -> dict[str, Any] | None:
    """A script that has changed since is shown and approved; None when the user says no."""
    return post_run(
        client,
        lambda how: client.post(f"/api/runs/{run_id}/again", how),
        {} if seed is None else {"seed": seed},
        lambda: client.get(f"/api/runs/{run_id}/config"),
        yes=yes,
        quiet=quiet,
    )


def _with_start(
    client: LabClient, wanted: dict[str, Any] | None, given: dict[str, Any], start: str
) -> dict[str, Any]:
    """`wanted`: the settings of a file, which then count instead of those of the run that it starts from."""
    if wanted is None:
        return start_settings(client, given, start)
    return {**wanted, "start_from": find_start(client, start)}


def _complete(given: dict[str, Any]) -> dict[str, Any]:
    from rl_lab.core.errors import InvalidInput

    if given["dataset"] is not None:
        return {**given, "env_id": given["env_id"] or "", **_learner(given)}
    if given["env_id"] is None:
        if learns_from_dataset(given["runner"]):
            raise InvalidInput.of_field(
                "--dataset", "Which dataset? Name one with --dataset NAME; `rl-lab datasets` lists them."
            )
        raise InvalidInput.of_field("ENV", "Which environment? For example: rl-lab train CartPole-v1")
    return {**given, "algorithm": given["algorithm"] or "ppo"}


def _learner(given: dict[str, Any]) -> dict[str, Any]:
    """Runner and algorithm of a training from a dataset."""
    from rl_lab.core.errors import InvalidInput

    if given["algorithm"] is None:
        raise InvalidInput.of_field(
            "--algorithm", "Which algorithm? For example: rl-lab train --runner offline --dataset NAME -a iql"
        )
    return {"runner": given["runner"] or runner_for_dataset(given["algorithm"])}


def _as_study(
    wanted: dict[str, Any], seeds: str, config: Path | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The study, and the settings that its runs share."""
    from rl_lab.core.errors import InvalidInput

    base = dict(wanted)
    if base.pop("seed", None) is not None and config is None:
        raise InvalidInput.of_field("--seed", "Give either --seed or --seeds.")
    labels = {name: base.pop(name) for name in (*STUDY_LABELS, "tags", "start") if base.get(name) is not None}
    return {"seeds": parse_seeds(seeds), **labels}, base


def _underscored(params: dict[str, Any]) -> dict[str, Any]:
    """Accepts dashes, as scripts spell their arguments, and underscores, as the lab does."""
    return {name.replace("-", "_"): value for name, value in params.items()}
