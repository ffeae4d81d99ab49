"""Scripts' names for their metrics, and the lab's beside them."""

from __future__ import annotations

from typing import Any

import pytest

from rl_lab.capture.metric_names import EPISODES, NAMES, MetricNames
from rl_lab.core.protocol.metrics import METRICS


def metric_values(values: dict[str, Any], **how: Any) -> dict[str, float]:
    return MetricNames().values(values, **how)


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
    assert {*NAMES.values(), *EPISODES.values()} <= set(METRICS)


def test_only_stable_baselines_logs_the_negative_entropy_as_a_loss() -> None:
    found = metric_values({"train/entropy_loss": -0.6}, has_episodes=True, is_sb3=True)
    assert found == {"train/entropy_loss": -0.6, "entropy": 0.6}
    for name in ("Loss/entropy_loss", "train/entropy_loss", "losses/entropy_loss"):
        assert metric_values({name: -0.0}, has_episodes=True) == {name: 0.0}, "a coefficient is in it"


def test_a_series_of_the_script_is_not_mixed_with_one_of_the_lab() -> None:
    names = MetricNames()
    found = names.values({"eval/reward": 9.0, "reward": 1.0}, has_episodes=True, source="W&B key")
    assert found == {"script/eval/reward": 9.0, "script/reward": 1.0}
    assert names.take_sources() == {
        "script/eval/reward": "W&B key eval/reward",
        "script/reward": "W&B key reward",
    }
    assert metric_values({"reward": 1.0}, has_episodes=False) == {"reward": 1.0}, "the lab has none then"


def test_two_quantities_of_the_script_do_not_share_a_name_of_the_lab() -> None:
    names = MetricNames()
    first = names.values({"losses/td_loss": 1.0}, has_episodes=True, source="TensorBoard tag")
    second = names.values({"losses/loss": 2.0}, has_episodes=True, source="TensorBoard tag")
    assert first == {"losses/td_loss": 1.0, "loss": 1.0}
    assert second == {"losses/loss": 2.0}
    assert names.take_sources()["loss"] == "TensorBoard tag losses/td_loss"
    assert names.take_sources() == {}, "each source is sent once"


def test_episodes_that_were_seen_are_not_told_twice() -> None:
    assert metric_values({"charts/episodic_return": 9.0}, has_episodes=True) == {
        "charts/episodic_return": 9.0
    }
    assert metric_values({"charts/episodic_return": 9.0}, has_episodes=False)["reward"] == 9.0


def test_numbers_of_an_evaluation_are_not_the_trainings() -> None:
    assert metric_values({"eval/loss": 1.0}, has_episodes=True) == {"eval/loss": 1.0}


def test_a_name_that_is_already_the_labs_is_told_once() -> None:
    assert metric_values({"loss": 1.0, "note": "text", "none": None}, has_episodes=True) == {"loss": 1.0}
