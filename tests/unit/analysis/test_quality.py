"""The insights are right as often as docs/insights.md says: a short form, on runs that were not used for tuning."""

import re
from pathlib import Path

import pytest
from unit.analysis import calibrating, real_runs
from unit.analysis.false_alarms import PROCESSES, alarm_rate
from unit.analysis.quality import Score, score, score_seeds
from unit.analysis.synthetic import (
    COURSES,
    WORLDS,
    MadeRun,
    make_drifting_runs,
    make_runs,
    make_seed_groups,
)
from unit.analysis.truth import SCORED

from rl_lab.analysis.insights.detect import DETECTORS

PUBLISHED = 0.95
SHORT_FORM = 0.9
"""With few cases of each kind, one error counts much."""
HELD_OUT = 777
PAGE = Path(__file__).parents[3] / "docs" / "insights.md"


@pytest.fixture(scope="module")
def runs() -> list[MadeRun]:
    return make_runs(HELD_OUT, 400)


@pytest.fixture(scope="module")
def groups() -> list[tuple[bool, list[MadeRun]]]:
    return make_seed_groups(HELD_OUT, 50)


@pytest.fixture(scope="module")
def scores(runs: list[MadeRun], groups: list[tuple[bool, list[MadeRun]]]) -> dict[str, Score]:
    return score(runs) | score_seeds(groups)


@pytest.mark.parametrize("name", [*SCORED, "seeds_disagree", "seeds_agree"])
def test_detector_is_right_nine_times_in_ten_on_unseen_runs(scores: dict[str, Score], name: str) -> None:
    tally = scores[name]
    assert tally.true_positives + tally.false_negatives >= 5, "too few cases to judge"
    assert tally.precision >= SHORT_FORM, tally
    assert tally.recall >= SHORT_FORM, tally


def test_the_simulated_runs_cover_every_environment_course_and_way_of_logging(runs: list[MadeRun]) -> None:
    assert {run.world for run in runs} == set(WORLDS)
    assert {run.course for run in runs} == set(COURSES)
    assert {run.logging for run in runs} == {"episodes", "means"}
    assert max(len(run.reward) for run in runs) > 50_000


def test_most_cases_are_scored(runs: list[MadeRun], scores: dict[str, Score]) -> None:
    for name in SCORED:
        assert scores[name].unscored <= 0.3 * len(runs), name


@pytest.mark.parametrize("name", PROCESSES)
def test_a_stationary_reward_raises_a_false_alarm_in_one_of_twenty_runs_at_most(name: str) -> None:
    assert alarm_rate(name, HELD_OUT, 60) <= 0.05


def test_a_sentence_with_confidence_c_is_right_in_about_c_of_the_cases(
    runs: list[MadeRun], groups: list[tuple[bool, list[MadeRun]]]
) -> None:
    drifting = make_drifting_runs(HELD_OUT, 100)
    for one in calibrating.check(calibrating.sentences_about([*runs, *drifting], groups, held_out=True)):
        assert abs(one.right - one.confidence) <= one.error + 0.02, one


def test_sentences_about_real_runs_fit_what_happened_next() -> None:
    found = [right for held_out in (False, True) for _, _, right in real_runs.sentences(held_out=held_out)]
    assert len(found) > 100
    assert sum(found) >= PUBLISHED * len(found)


def test_no_real_run_that_went_on_to_learn_was_called_stuck() -> None:
    rising = [prefix for prefix in real_runs.prefixes(held_out=False) if real_runs.rose(prefix)]
    assert len(rising) >= 15
    assert not [prefix.name for prefix in rising if "stuck" in real_runs.names(prefix)]


def test_episodes_and_logged_means_of_one_real_run_hardly_ever_contradict_each_other() -> None:
    # A mean over 100 episodes lags: it may still rise when the newest episodes no longer do.
    up, not_up = {"improving"}, {"stuck", "catastrophic_drop"}
    twins: dict[tuple[str, float], set[str]] = {}
    for prefix in real_runs.prefixes(held_out=False):
        key = prefix.name.split(" (")[0], round(prefix.share, 2)
        twins[key] = twins.get(key, set()) | real_runs.names(prefix)
    assert len(twins) > 100
    contradicting = [key for key, names in twins.items() if names & up and names & not_up]
    assert len(contradicting) <= 0.02 * len(twins), contradicting


def test_published_table_names_every_detector_and_meets_the_target() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \| \d+", PAGE.read_text(encoding="utf-8"), re.M)
    assert [name for name, _, _ in rows] == [*SCORED, "seeds_disagree", "seeds_agree"]
    assert all(float(precision) >= PUBLISHED and float(recall) >= PUBLISHED for _, precision, recall in rows)


def test_published_confidences_are_calibrated_and_false_alarms_rare() -> None:
    page = PAGE.read_text(encoding="utf-8")
    bins = re.findall(r"^\| [\d.]+ to [\d.]+ \| (\d+) \| ([\d.]+) \| ([\d.]+) \|$", page, re.M)
    assert sum(int(count) for count, _, _ in bins) > 1000
    for count, mean, right in bins:
        one = calibrating.Bin(0.0, 1.0, int(count), float(mean), float(right))
        assert abs(one.right - one.confidence) <= one.error + 0.02, one
    alarms = re.findall(r"^\| .* \| ([\d.]+) % \|$", page, re.M)
    assert len(alarms) == len(PROCESSES)
    assert all(float(rate) <= 5 for rate in alarms)


def test_every_detector_is_explained() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \| [a-z]", PAGE.read_text(encoding="utf-8"), re.M))
    assert explained == (set(DETECTORS) - {"unclear"}) | {"seeds_disagree", "seeds_agree"}
