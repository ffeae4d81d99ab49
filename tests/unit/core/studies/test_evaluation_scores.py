"""Comparisons take scores of one protocol, and say which they leave out."""

from __future__ import annotations

import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.core.studies.evaluation_scores import EvaluationScore, choose_scores, with_derived
from rl_lab.core.workbench.protocols import CitedProtocol

NIGHTLY = CitedProtocol(name="nightly", version=1, sha256="n1", text="protocol nightly@v1")
NEWER = CitedProtocol(name="nightly", version=2, sha256="n2", text="protocol nightly@v2")
OPTIONS = CitedProtocol(sha256="o", text="5 episodes, seeds derived, best actions")


def score(run_id: str, protocol: CitedProtocol, mean: float, **numbers: float) -> EvaluationScore:
    return EvaluationScore(run_id, protocol, mean, numbers)


def test_the_protocol_of_most_runs_is_taken_and_the_newest_score_of_each() -> None:
    scores = [
        score("a", NIGHTLY, 1.0),
        score("b", NIGHTLY, 2.0, soft=0.5),
        score("a", NIGHTLY, 3.0, soft=0.25),
        score("a", OPTIONS, 99.0),
    ]
    chosen = choose_scores(scores)
    assert chosen.returns == {"a": 3.0, "b": 2.0}
    assert chosen.numbers == {"soft": {"a": 0.25, "b": 0.5}}
    assert [one.text for one in chosen.protocols] == [NIGHTLY.text, OPTIONS.text]
    assert "not mixed" in chosen.notes[0]
    assert "no value here" not in chosen.notes[0]


def test_runs_measured_otherwise_are_left_out_and_counted() -> None:
    chosen = choose_scores([score("a", NIGHTLY, 1.0), score("b", NIGHTLY, 1.0), score("c", OPTIONS, 9.0)])
    assert set(chosen.returns) == {"a", "b"}
    assert "1 run was evaluated only by other protocols, and has no value here." in chosen.notes[0]


def test_of_two_protocols_with_as_many_runs_the_one_used_last_is_taken() -> None:
    assert choose_scores([score("a", NIGHTLY, 1.0), score("a", NEWER, 2.0)]).returns == {"a": 2.0}
    assert choose_scores([score("a", NEWER, 2.0), score("a", NIGHTLY, 1.0)]).returns == {"a": 1.0}


@pytest.mark.parametrize("wanted", ["nightly@v1", "protocol nightly@v1", "n1"])
def test_a_protocol_is_chosen_by_name_and_version_or_hash(wanted: str) -> None:
    scores = [score("a", NIGHTLY, 1.0), score("a", NEWER, 2.0)]
    assert choose_scores(scores, wanted).returns == {"a": 1.0}
    assert choose_scores(scores, "nightly").returns == {"a": 2.0}, "a bare name: what was used last"
    with pytest.raises(InvalidInput, match="weekly"):
        choose_scores(scores, "weekly")


def test_a_number_called_like_a_measure_of_the_lab_gets_another_name() -> None:
    assert set(choose_scores([score("a", OPTIONS, 1.0, final=2.0)]).numbers) == {"evaluation.final"}


def test_nothing_is_chosen_from_nothing() -> None:
    assert choose_scores([]).returns == {}
    with pytest.raises(InvalidInput):
        choose_scores([], "nightly")


def test_the_protocol_of_a_study_is_taken_or_nothing() -> None:
    scores = [score("a", NIGHTLY, 1.0), score("b", NIGHTLY, 2.0), score("a", NEWER, 3.0)]
    assert choose_scores(scores, usual="nightly@v2").returns == {"a": 3.0}
    assert choose_scores(scores, "nightly@v1", usual="nightly@v2").returns == {"a": 1.0, "b": 2.0}
    missing = choose_scores(scores, usual="nightly@v3")
    assert missing.returns == {}
    assert missing.notes == ["None of these runs was evaluated by the protocol nightly@v3 yet."]


def test_derived_metrics_are_measures_of_their_own() -> None:
    chosen = choose_scores([score("a", NIGHTLY, 1.0, speed=9.0)])
    found = with_derived(chosen, {"a": {"speed": 2.0}, "b": {"speed": None}})
    assert found.numbers_of("a") == {"speed": 9.0, "metrics.speed": 2.0}
    assert found.numbers_of("b") == {}
