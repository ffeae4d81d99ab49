"""config.json of every shape that the lab has written can be given back; fields of newer versions are named."""

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from rl_lab.core.environments import Environment
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.orchestrator.runs.requests import NewRun, train_config
from rl_lab.runners.registry import find_spec

FILES = sorted((Path(__file__).parent / "old_configs").glob("*.json"))
CARTPOLE = Environment(
    id="CartPole-v1",
    name="Cart Pole",
    family="classic_control",
    package="gymnasium",
    description="",
    action_space="Discrete(2)",
    action_space_type="discrete",
    obs_space="Box(4)",
    obs_space_type="box",
    obs_space_dims=[4],
    reward_threshold=475.0,
)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_an_old_configuration_gives_the_same_training(file: Path) -> None:
    old = json.loads(file.read_text())
    config = train_config(NewRun.model_validate(old), find_spec(old["runner"]), [CARTPOLE])
    # What the lab adds since then has its usual value; what the script reported is reported anew.
    kept = {name: value for name, value in old.items() if name not in ("params", "args")}
    assert {name: getattr(config, name) for name in kept} == kept
    assert {name: config.params[name] for name in old["params"]} == old["params"]
    assert TrainConfig.model_validate(old).params == old["params"]


def test_a_field_of_a_newer_version_is_named() -> None:
    old = json.loads(FILES[0].read_text())
    with pytest.raises(ValidationError, match=r"“warp”.*newer version"):
        NewRun.model_validate({**old, "warp": 9})


def test_the_configuration_of_a_job_is_refused_with_the_reason() -> None:
    with pytest.raises(ValidationError, match="only a training"):
        NewRun.model_validate({"kind": "evaluate", "run_id": "x"})
