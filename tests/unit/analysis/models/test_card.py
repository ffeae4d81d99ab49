"""The card of a model states what was measured, and by which protocol; nothing else."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
import yaml

from rl_lab.analysis.models.card import write_card
from rl_lab.analysis.models.licence_texts import NAMES, licence_text
from rl_lab.core.evaluations import EvaluationSummary
from rl_lab.core.models.packages import Ancestor, CardFacts, MeasuredBy

SUMMARY = EvaluationSummary(
    episodes=10,
    return_mean=-123.456,
    return_std=7.5,
    return_min=-140,
    return_max=-100,
    return_median=-120,
    return_ci=(-130.0, -115.0),
    return_ci_level=0.95,
    length_mean=200,
    terminated=0,
    truncated=10,
    seeds=list(range(12)),
    returns=[],
    lengths=[],
)


def facts(**changes: Any) -> CardFacts:
    known: dict[str, Any] = {
        "run_id": "0" * 12,
        "run_name": "PPO on Pendulum-v1",
        "env_id": "Pendulum-v1",
        "runner": "Stable-Baselines3",
        "runner_id": "sb3",
        "algorithm": "PPO",
        "timestep": 50_000,
        "role": "best",
        "sha256": "ab" * 32,
        "seed": 3,
        "total_timesteps": 100_000,
        "changed": {"learning_rate": 0.001},
        "trained_s": 75.0,
        "trained_at": datetime(2026, 5, 4, tzinfo=UTC),
        "hardware": "A processor, 2 cores",
    }
    return CardFacts(**{**known, **changes})


def card(**changes: Any) -> str:
    return write_card(facts(**changes), library="stable-baselines3", example="print(1)\n", files={"a": "b"})


def metadata(text: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(text.split("---\n")[1])
    return found


def test_an_evaluated_model_states_its_result_with_interval_and_protocol() -> None:
    text = card(evaluation=MeasuredBy(job_id="1" * 12, summary=SUMMARY))
    found = metadata(text)
    assert found["library_name"] == "stable-baselines3" and found["license"] == "mit"
    (result,) = found["model-index"][0]["results"]
    assert result["task"]["type"] == "reinforcement-learning"
    assert result["dataset"]["name"] == "Pendulum-v1"
    assert result["metrics"] == [
        {"type": "mean_reward", "name": "mean_reward", "value": "-123.46 +/- 7.50", "verified": False}
    ]
    assert "−130 to −115 (95 %, bootstrap)" in text.replace(".0", "")
    assert "10 episodes, the best action in each state, environment seeds 0, 1, 2" in text
    assert "| `learning_rate` | `0.001` |" in text and "| Seed | 3 |" in text
    assert "print(1)" in text and "| Hardware | A processor, 2 cores |" in text


def test_a_model_that_was_not_evaluated_claims_no_result() -> None:
    text = card(training_score=-200.0)
    assert "model-index" not in metadata(text)
    assert "Not evaluated" in text and "is not an evaluation" in text


def test_a_warm_start_names_the_training_it_comes_from() -> None:
    ancestor = Ancestor(run_id="2" * 12, name="first", timestep=1000)
    assert "weights of “first”, step 1,000" in card(ancestor=ancestor)
    assert "## Lineage" not in card()


@pytest.mark.parametrize(
    "name", ["x\n---\nlicense: gpl", "[a](javascript:x)", "<script>", "a | b", "`c`", '"']
)
def test_no_name_breaks_out_of_the_metadata_or_makes_markup(name: str) -> None:
    text = card(run_name=name, env_id=name)
    found = metadata(text)
    assert found["license"] == "mit" and found["tags"][0] == name
    outside_code = re.sub(r"`[^`\n]*`", "", text.split("---\n")[2])
    assert "<script>" not in outside_code and "[a](" not in outside_code


def test_every_licence_has_a_text_with_its_holder() -> None:
    for licence in NAMES:
        text = licence_text(licence, year=2026, author="Ada")
        assert len(text) > 100 and "{" not in text.replace("{}", "").split("[")[0][:500]
    assert "2026 Ada" in licence_text("mit", year=2026, author="Ada")
