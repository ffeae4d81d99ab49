"""The table of job kinds, and configurations that older labs wrote."""

from __future__ import annotations

from importlib.util import find_spec
from typing import get_args

import pytest

from rl_lab.core.jobs.kinds import KINDS, JobConfig, RunKind, worker_functions
from rl_lab.core.jobs.policy_jobs import EvaluateConfig, EvaluateOptions


def test_every_kind_of_run_has_a_config_and_a_worker_function() -> None:
    assert {config.model_fields["kind"].default for config in get_args(JobConfig)} == set(RunKind)
    assert set(worker_functions()) == set(RunKind)
    assert set(KINDS) == set(RunKind) - {RunKind.train}


@pytest.mark.parametrize("kind", KINDS)
def test_the_parts_of_a_kind_exist(kind: RunKind) -> None:
    entry = KINDS[kind]
    assert entry.config.model_fields["kind"].default == kind
    assert issubclass(entry.config, entry.options)
    for place in (entry.rules, entry.worker):
        module, _, name = place.partition(":")
        assert find_spec(module) is not None
        assert name


@pytest.mark.parametrize("kind", KINDS)
def test_the_address_and_the_options_make_a_complete_config(kind: RunKind) -> None:
    entry = KINDS[kind]
    needed = {name for name, field in entry.config.model_fields.items() if field.is_required()}
    given = {name for name in entry.config.model_fields if f"{{{name}}}" in entry.path}
    assert needed <= given | set(entry.options.model_fields)


def test_an_old_evaluation_after_training_is_recognised_by_its_title() -> None:
    old = {"kind": "evaluate", "run_id": "a", "episodes": 5, "deterministic": True, "title": "video"}
    assert EvaluateConfig.model_validate(old).after_training
    assert not EvaluateConfig.model_validate({**old, "title": ""}).after_training


def test_without_a_number_there_is_one_episode_per_seed() -> None:
    assert EvaluateOptions(seeds=[1, 2, 3]).episodes == 3
    assert EvaluateOptions(seeds=[1, 2, 3], episodes=2).episodes == 2
    assert EvaluateOptions().episodes == 5
