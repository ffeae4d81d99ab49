"""Certificates of exact resume: trained unbroken, and broken and resumed, in processes of their own."""

from __future__ import annotations

from typing import Any

import pytest
from support.certified_learners import CONTINUOUS, SEVEN, certify_in_process
from support.own_rewards import STATEFUL, reward_input

from rl_lab.core.reproduction.certifications import CertificationResult

pytestmark = pytest.mark.timeout(900)
SMALL = {"net_arch": [16], "batch_size": 16}
FEW = {**SMALL, "learning_starts": 60, "train_freq": 4, "gradient_steps": 2}
PARAMS: dict[str, dict[str, Any]] = {
    "turbo ppo": {"n_envs": 4, "n_steps": 32},
    "turbo dqn": {"learning_starts": 200},
    "sb3 ppo": {**SMALL, "n_steps": 32, "n_envs": 2, "n_epochs": 2},
    "sb3 a2c": {"net_arch": [16]},
    "sb3 dqn": {**FEW, "buffer_size": 300},
    "sb3 sac": FEW,
    "sb3 td3": FEW,
}
LEARNERS: dict[str, dict[str, Any]] = {
    f"{runner} {algorithm}": {
        "runner": runner,
        "algorithm": algorithm,
        "env_id": "Pendulum-v1" if algorithm in CONTINUOUS else "CartPole-v1",
        "steps": 1024 if runner == "turbo" else 250,
        "params": PARAMS[f"{runner} {algorithm}"],
    }
    for runner, algorithm in SEVEN
}
REWARDED: dict[str, dict[str, Any]] = {
    f"{name}, own reward": {
        **LEARNERS[name],
        "params": {**LEARNERS[name]["params"], **params},
        "inputs": {"reward": reward_input(STATEFUL)},
    }
    for name, params in {
        "turbo ppo": {"normalize_reward": True},
        "turbo dqn": {},
        "sb3 ppo": {"normalize_reward": True},
        "sb3 dqn": {"normalize_reward": True, "n_envs": 2},
    }.items()
}
"""One that remembers what happened in its episode."""
FORGETFUL: dict[str, Any] = {
    "runner": "fake",
    "algorithm": "toy",
    "env_id": "CartPole-v1",
    "steps": 2000,
    "params": {"forget": True},
}

UNREPEATABLE: dict[str, Any] = {**FORGETFUL, "params": {"unrepeatable_at": 100}}
NOISY: dict[str, Any] = {**FORGETFUL, "inputs": {"exact": False}}


@pytest.fixture(scope="module")
def certified() -> dict[str, CertificationResult]:
    wanted = {**LEARNERS, **REWARDED, "forgetful": FORGETFUL, "unrepeatable": UNREPEATABLE, "noisy": NOISY}
    return dict(zip(wanted, certify_in_process(wanted.values()), strict=True))


@pytest.mark.parametrize("learner", [*LEARNERS, *REWARDED])
def test_a_resumed_training_equals_an_unbroken_one(
    certified: dict[str, CertificationResult], learner: str
) -> None:
    result = certified[learner]
    assert result.verdict == "identical", result.sentence
    stop, kill, checkpoint = result.breaks
    assert (stop.kind, kill.kind, checkpoint.kind) == ("stop", "kill", "checkpoint")
    assert kill.resumed_at < kill.step, "it is killed between two checkpoints"
    for one in result.breaks:
        assert one.compared.episodes > 0
        assert one.compared.values > 0
        assert one.compared.checkpoints > 0
        assert one.compared.tensors > 0


def test_a_checkpoint_without_a_generator_is_named_with_both_values(
    certified: dict[str, CertificationResult],
) -> None:
    result = certified["forgetful"]
    first = result.first_difference
    assert result.verdict == "different"
    assert first is not None
    assert result.first_break is not None
    broken = result.breaks[result.first_break]
    assert first.step > broken.resumed_at
    assert (first.quantity, first.episode) == ("seed", first.step // 20 - 1)
    assert first.recorded != first.found
    assert f"unbroken {first.recorded:.0f}, resumed {first.found:.0f}" in result.sentence
    assert result.is_repeatable is True
    assert "the resume is the reason" in result.probable_reasons[0]


def test_a_learner_that_differs_unbroken_is_told_from_a_bad_resume(
    certified: dict[str, CertificationResult],
) -> None:
    result = certified["unrepeatable"]
    assert (result.verdict, result.is_repeatable) == ("different", False)
    assert "Two unbroken trainings differ as well" in result.probable_reasons[0]


def test_an_environment_that_is_not_deterministic_is_said_on_the_certificate(
    certified: dict[str, CertificationResult],
) -> None:
    result = certified["noisy"]
    assert result.is_deterministic is False
    assert "CartPole-v1 is not deterministic" in result.notes[-1]
    assert "CartPole-v1 is not deterministic" in result.probable_reasons[0]
