"""A script may learn the environment it names itself, though no catalogue knows it; other unknown ones are refused."""

from __future__ import annotations

import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.core.runners import AlgorithmSpec, Capabilities, Params, Preset, RunnerSpec
from rl_lab.orchestrator.runs.requests import NewRun, train_config

PRESETS = tuple(
    Preset(id="script", title="As in the script", env_id=env_id, total_timesteps=700)
    for env_id in ("Breakout-v5", None)
)


def spec_of(*, foreign: bool) -> RunnerSpec:
    algorithm = AlgorithmSpec(
        id="ppo_envpool",
        name="PPO",
        description="",
        action_kinds=("discrete",),
        params=Params,
        presets=PRESETS,
        default_preset="script",
    )
    capabilities = Capabilities(foreign=foreign)
    return RunnerSpec(id="x", name="X", description="", capabilities=capabilities, algorithms=(algorithm,))


def test_the_environment_a_script_names_itself_is_taken_as_it_is() -> None:
    new = NewRun(runner="x", algorithm="ppo_envpool", env_id="Breakout-v5")
    config = train_config(new, spec_of(foreign=True), [])
    assert (config.env_id, config.total_timesteps, config.preset) == ("Breakout-v5", 700, "script")


@pytest.mark.parametrize(("env_id", "foreign"), [("Breakou-v5", True), ("Breakout-v5", False), ("", True)])
def test_any_other_unknown_one_is_refused(env_id: str, foreign: bool) -> None:
    with pytest.raises(InvalidInput) as refused:
        train_config(NewRun(runner="x", algorithm="ppo_envpool", env_id=env_id), spec_of(foreign=foreign), [])
    assert [error.field for error in refused.value.errors] == ["env_id"]
