"""What is trained for a certificate, and how it differs from the run."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.policy_jobs import CertifyConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.orchestrator.jobs.certify import certified_config, require_exact
from rl_lab.runners.registry import load_runner

LONG = TrainConfig(runner="turbo", algorithm="ppo", env_id="CartPole-v1", total_timesteps=1_000_000, seed=3)


def test_a_long_run_is_shortened_and_says_so() -> None:
    config, notes = certified_config(LONG, CertifyConfig(run_id="a"), 0)
    assert (config.total_timesteps, config.seed, config.evaluate_after) == (20_000, 3, 0)
    assert notes == [
        "The run is set to 1,000,000 steps; each training had 20,000, and its schedules end there."
    ]
    short, notes = certified_config(
        LONG.model_copy(update={"total_timesteps": 500}), CertifyConfig(run_id="a"), 0
    )
    assert (short.total_timesteps, notes) == (500, [])


def test_the_whole_run_or_a_number_of_steps_but_not_both() -> None:
    whole, notes = certified_config(LONG, CertifyConfig(run_id="a", whole=True), 0)
    assert (whole.total_timesteps, notes) == (1_000_000, [])
    chosen, _ = certified_config(LONG, CertifyConfig(run_id="a", timesteps=3000), 0)
    assert (chosen.total_timesteps, chosen.checkpoint_every) == (3000, 500)
    with pytest.raises(ValidationError, match="either a number of steps or the whole run"):
        CertifyConfig(run_id="a", timesteps=3000, whole=True)


def test_limits_by_the_clock_are_left_out() -> None:
    timed = LONG.model_copy(update={"total_timesteps": 0, "max_seconds": 60, "evaluate_every": 100})
    config, notes = certified_config(timed, CertifyConfig(run_id="a"), 7000)
    assert (config.total_timesteps, config.max_seconds, config.evaluate_every) == (7000, None, None)
    assert notes == ["Limits of time and episodes were left out."]


@pytest.mark.parametrize("runner", ["script", "program", "cleanrl"])
def test_runners_of_code_from_outside_are_refused(runner: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        require_exact(load_runner(runner).spec)
    message = refused.value.errors[0].message
    assert "cannot resume exactly" in message and "a run of turbo, sb3 or offline" in message
