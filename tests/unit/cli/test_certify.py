"""The two forms of `rl-lab certify`."""

from __future__ import annotations

import pytest

from rl_lab.cli.commands.models.certifications import require_one_form
from rl_lab.core.errors import InvalidInput


def test_either_a_run_or_a_learner_is_certified() -> None:
    require_one_form("latest", {}, whole=True)
    require_one_form(None, {"env_id": "CartPole-v1"}, whole=False)
    for run, learner, whole in (
        (None, {"runner": "turbo"}, False),
        ("latest", {"env_id": "CartPole-v1"}, False),
        (None, {"env_id": "CartPole-v1"}, True),
    ):
        with pytest.raises(InvalidInput):
            require_one_form(run, learner, whole=whole)
