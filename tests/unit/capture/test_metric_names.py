"""Scripts' names for their metrics, and the lab's beside them."""

from __future__ import annotations

import pytest

from rl_lab.capture.metric_names import EPISODES, NAMES, NEGATED, metric_values
from rl_lab.core.protocol.metrics import METRICS


@pytest.mark.parametrize(
    ("own", "canonical"),
    [
        ("losses/value_loss", "value_loss"),
        ("charts/learning_rate", "learning_rate"),
        ("losses/entropy", "entropy"),
        ("losses/approx_kl", "kl"),
        ("losses/clipfrac", "clip_fraction"),
        ("charts/SPS", "fps"),
        ("losses/explained_variance", "explained_variance"),
        ("train/policy_gradient_loss", "policy_loss"),
    ],
)
def test_a_value_has_both_names(own: str, canonical: str) -> None:
    assert metric_values({own: 0.5}, has_episodes=True) == {own: 0.5, canonical: 0.5}


def test_every_name_given_is_one_of_the_labs() -> None:
    assert {*NAMES.values(), *NEGATED.values(), *EPISODES.values()} <= set(METRICS)


def test_the_loss_of_the_entropy_is_its_negative() -> None:
    assert metric_values({"train/entropy_loss": -0.6}, has_episodes=True)["entropy"] == 0.6


def test_episodes_that_were_seen_are_not_told_twice() -> None:
    assert metric_values({"charts/episodic_return": 9.0}, has_episodes=True) == {
        "charts/episodic_return": 9.0
    }
    assert metric_values({"charts/episodic_return": 9.0}, has_episodes=False)["reward"] == 9.0


def test_numbers_of_an_evaluation_are_not_the_trainings() -> None:
    assert metric_values({"eval/loss": 1.0}, has_episodes=True) == {"eval/loss": 1.0}


def test_a_name_that_is_already_the_labs_is_told_once() -> None:
    assert metric_values({"loss": 1.0, "note": "text", "none": None}, has_episodes=True) == {"loss": 1.0}
