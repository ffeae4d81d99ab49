"""Learners of vectors refuse pictures, and say what to choose instead."""

import pytest

from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput
from rl_lab.orchestrator.runs.requests import NewRun, train_config
from rl_lab.runners.registry import find_spec

RACING = Environment(
    id="CarRacing-v3",
    name="Car Racing",
    family="box2d",
    package="gymnasium",
    description="",
    action_space="BOX(3)",
    action_space_type="continuous",
    obs_space="BOX(96, 96, 3)",
    obs_space_type="box",
    obs_space_dims=[96, 96, 3],
)


@pytest.mark.parametrize(
    ("runner", "field", "remedy"),
    [("turbo", "runner", "Choose the runner sb3."), ("offline", "dataset", "Choose a dataset whose")],
)
def test_pictures_are_refused_with_what_helps(runner: str, field: str, remedy: str) -> None:
    dataset = DatasetChoice(name="laps") if runner == "offline" else None
    algorithm = "iql" if runner == "offline" else "ppo"
    new = NewRun(env_id=RACING.id, algorithm=algorithm, runner=runner, dataset=dataset)
    with pytest.raises(InvalidInput) as refused:
        train_config(new, find_spec(runner), [RACING])
    error = next(one for one in refused.value.errors if "learns from vectors" in one.message)
    assert error.field == field and remedy in error.message
