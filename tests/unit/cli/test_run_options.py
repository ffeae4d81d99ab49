"""Options of `rl-lab train` and `rl-lab run` follow from the request for a new run."""

from __future__ import annotations

from typing import Any

import typer
from typer.testing import CliRunner

from rl_lab.cli.main import app
from rl_lab.cli.run_options import RunOptionsCommand, make_options, takes_run_options, typed_options
from rl_lab.core.jobs.training import RunOptions, TrainConfig, options_schema, supported_options
from rl_lab.core.runners import Capabilities
from rl_lab.orchestrator.runs.requests import NewRun

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


def options_of(name: str) -> set[str]:
    command = COMMANDS[name]
    params = command.get_params(typer.Context(command))
    return {opt for param in params for opt in (*param.opts, *param.secondary_opts) if opt.startswith("--")}


def chosen_by(*arguments: str) -> dict[str, Any]:
    """What a command gets from these arguments."""
    found: dict[str, Any] = {}

    @takes_run_options()
    def learn(env: str, *, quiet: bool = False, **chosen: Any) -> None:
        found.update(chosen)

    small = typer.Typer()
    small.command(cls=RunOptionsCommand)(learn)
    small.command()(lambda: None)
    result = CliRunner().invoke(small, ["learn", "CartPole-v1", *arguments])
    assert result.exit_code == 0, result.output
    return found


def test_what_the_user_typed_is_told_from_defaults() -> None:
    @takes_run_options(without=("--seed",))
    def learn(env: str, *, quiet: bool = False, **chosen: Any) -> None:
        found.update(typed_options(chosen))

    found: dict[str, Any] = {}
    small = typer.Typer()
    small.command(cls=RunOptionsCommand)(learn)
    small.command()(lambda: None)
    assert CliRunner().invoke(small, ["learn", "CartPole-v1", "--evaluate", "5"]).exit_code == 0
    assert found == {"evaluate_after": 5}
    assert CliRunner().invoke(small, ["learn", "CartPole-v1", "--seed", "1"]).exit_code != 0


def test_every_run_option_is_an_option_of_train() -> None:
    assert set(RunOptions.model_fields) <= set(make_options())
    wanted = {"--timesteps", "--seed", "--preset", "--name", "--device", "--until", "--checkpoint-every"}
    assert wanted | {"--record", "--no-record", "--no-feed", "--evaluate"} <= options_of("train")


def test_scripts_get_only_the_options_that_they_follow() -> None:
    assert set(make_options(only_scripts=True)) == {
        "name",
        "priority",
        "checkpoint_every",
        "record",
        "feed",
        "deterministic",
        "max_seconds",
        "max_episodes",
    }
    assert {"--record", "--no-record", "--no-feed", "--checkpoint-every"} <= options_of("run")
    assert "--device" not in options_of("run")


def test_values_arrive_under_the_names_of_the_request() -> None:
    found = chosen_by("--no-record", "--until", "solved", "-n", "500", "--evaluate", "0")
    assert found["record"] is False
    assert (found["until"], found["total_timesteps"], found["evaluate_after"]) == ("solved", 500, 0)
    assert "seed" not in found, "an option without a default is left to the server"
    NewRun(env_id="CartPole-v1", algorithm="ppo", **found)


def test_defaults_are_those_of_the_request() -> None:
    assert NewRun(algorithm="ppo", **chosen_by()) == NewRun(algorithm="ppo")


def test_runners_without_a_capability_do_not_follow_its_options() -> None:
    new = NewRun(algorithm="ppo", evaluate_after=3, record=True, checkpoint_every=7)
    able = Capabilities(record=True, evaluate=True)
    assert supported_options(new, able) == {name: getattr(new, name) for name in RunOptions.model_fields}
    unable = supported_options(new, Capabilities())
    assert (unable["record"], unable["evaluate_after"], unable["checkpoint_every"]) == (False, 0, 7)
    assert set(options_schema(Capabilities(record=True))["properties"]) == {
        "record",
        "feed",
        "deterministic",
        "max_seconds",
        "max_episodes",
    }


def test_what_learns_from_a_dataset_counts_updates() -> None:
    options = options_schema(Capabilities(checkpoint=True, dataset=True))["properties"]
    assert options["checkpoint_every"]["title"] == "Updates between checkpoints"
    assert options["checkpoint_every"]["description"].startswith("Updates between checkpoints (default")


def test_a_config_of_an_older_lab_gets_the_defaults() -> None:
    old = {"kind": "train", "runner": "sb3", "algorithm": "ppo", "env_id": "CartPole-v1", "seed": 1}
    assert TrainConfig.model_validate(old).evaluate_after == 5
