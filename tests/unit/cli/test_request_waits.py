"""A command waits for everything that the lab computes before it answers."""

from __future__ import annotations

import pytest

from rl_lab.cli.client import TIMEOUT_S
from rl_lab.orchestrator.environments import code_trials, repeatability
from rl_lab.orchestrator.environments import service as environments
from rl_lab.orchestrator.models import inspections
from rl_lab.orchestrator.viewing import service as viewing
from rl_lab.orchestrator.workbench import code_checks, evaluation_previews, own_environments

LIMITS = {
    "check of code": code_checks.LONGEST_S,
    "check of an environment of one's own": own_environments.CHECK_S,
    "reward before a training": code_trials.LONGEST_S,
    "preview of evaluation code": evaluation_previews.LONGEST_S,
    "smoke test": environments.SMOKE_TEST_S,
    "repeatability": repeatability.CHECK_S,
    "steps of a whole episode": viewing.WHOLE_EPISODE_S,
    "inspection of a model": inspections.LONGEST_S,
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_command_waits_longer_than_the_lab_works(name: str) -> None:
    assert LIMITS[name] < TIMEOUT_S
