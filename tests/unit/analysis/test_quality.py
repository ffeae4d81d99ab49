"""The detectors' precision and recall, measured on runs that were not used for tuning the thresholds."""

import re
from pathlib import Path

import pytest
from unit.analysis.quality import Score, score, score_seeds
from unit.analysis.synthetic import COURSES, WORLDS, MadeRun, make_runs, make_seed_groups
from unit.analysis.truth import SCORED

from rl_lab.analysis.insights.detect import DETECTORS

BAR = 0.9
HELD_OUT = 777
PAGE = Path(__file__).parents[3] / "docs" / "insights.md"


@pytest.fixture(scope="module")
def runs() -> list[MadeRun]:
    return make_runs(HELD_OUT, 500)


@pytest.fixture(scope="module")
def scores(runs: list[MadeRun]) -> dict[str, Score]:
    return score(runs) | score_seeds(make_seed_groups(HELD_OUT, 80))


@pytest.mark.parametrize("name", [*SCORED, "seeds_disagree", "seeds_agree"])
def test_detector_is_right_nine_times_in_ten_on_unseen_runs(scores: dict[str, Score], name: str) -> None:
    tally = scores[name]
    assert tally.true_positives + tally.false_negatives >= 8, "too few cases to judge"
    assert tally.precision >= BAR, tally
    assert tally.recall >= BAR, tally


def test_the_simulated_runs_cover_every_environment_and_course(runs: list[MadeRun]) -> None:
    assert {run.world for run in runs} == set(WORLDS)
    assert {run.course for run in runs} == set(COURSES)


def test_most_cases_are_scored(runs: list[MadeRun], scores: dict[str, Score]) -> None:
    for name in SCORED:
        assert scores[name].unscored <= 0.25 * len(runs), name


def test_published_table_names_every_detector_and_meets_the_target() -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) \| \d+", PAGE.read_text(encoding="utf-8"), re.M)
    assert [name for name, _, _ in rows] == [*SCORED, "seeds_disagree", "seeds_agree"]
    assert all(float(precision) >= BAR and float(recall) >= BAR for _, precision, recall in rows)


def test_every_detector_is_explained() -> None:
    explained = set(re.findall(r"^\| `(\w+)` \| [a-z]", PAGE.read_text(encoding="utf-8"), re.M))
    assert explained == (set(DETECTORS) - {"unclear"}) | {"seeds_disagree", "seeds_agree"}
