"""Results of jobs as they are written and read again."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from rl_lab.core.evaluations import (
    EvaluationSummary,
    FilmResult,
    FilmScene,
    ForkResult,
    PairedDifference,
    read_result,
    write_result,
)
from rl_lab.core.intervals import LEAST_VALUES, why_none
from rl_lab.core.runs import Summary


def test_a_result_keeps_the_names_that_older_labs_wrote() -> None:
    film = FilmResult(film="film.mp4", scenes=[FilmScene(episode=1, timestep=None, returned=2.0)])
    written = write_result(film)
    old = {"film": "film.mp4", "scenes": [{"episode": 1, "timestep": None, "return": 2.0}]}
    assert written["scenes"][0].items() >= old["scenes"][0].items()
    assert read_result(FilmResult, old) == film
    assert read_result(FilmResult, written) == film


def test_an_interval_without_bounds_is_null_in_json() -> None:
    alone = PairedDifference(
        first="a", second="b", mean=1.0, ci=(-math.inf, math.inf), wins_first=1, wins_second=0, ties=0
    )
    written = json.loads(json.dumps(write_result(alone), allow_nan=False))
    assert written["ci"] == [None, None]
    assert read_result(PairedDifference, written) == alone


def test_what_does_not_fit_is_not_read() -> None:
    assert read_result(ForkResult, None) is None
    assert read_result(ForkResult, {}) is None
    assert read_result(ForkResult, {"return": 1.0}) is None


def test_fields_of_a_newer_lab_are_ignored() -> None:
    newer = {"film": "film.mp4", "scenes": [], "music": "none"}
    assert read_result(FilmResult, newer) == FilmResult(film="film.mp4", scenes=[])


OLDER_EVALUATION = {
    "episodes": 3,
    "return_mean": 7.0,
    "return_std": 1.0,
    "return_min": 6.0,
    "return_max": 8.0,
    "return_median": 7.0,
    "return_ci": [6.0, 8.0],
    "length_mean": 5.0,
    "terminated": 3,
    "truncated": 0,
    "seeds": [1, 2, 3],
    "returns": [6.0, 7.0, 8.0],
    "lengths": [5, 5, 5],
}


@pytest.mark.parametrize(
    ("episodes", "ends", "level"), [(3, [None, None], None), (7, [6.0, 8.0], 0.9), (20, [6.0, 8.0], 0.95)]
)
def test_an_evaluation_of_an_earlier_version_gets_the_level_of_its_episodes(
    episodes: int, ends: list[float | None], level: float | None
) -> None:
    result = Summary(result={**OLDER_EVALUATION, "episodes": episodes}).result
    assert result is not None
    assert (result["return_ci"], result["return_ci_level"]) == (ends, level)
    found = read_result(EvaluationSummary, result)
    assert found is not None and found.return_ci_level == level


def test_a_duel_of_an_earlier_version_gets_levels_and_a_new_one_keeps_its_own() -> None:
    gap = {"ci": [1.0, 2.0], "wins_first": 8, "wins_second": 2, "ties": 0}
    result = Summary(
        result={"sides": [{"summary": OLDER_EVALUATION}], "differences": [gap, {**gap, "ci_level": 0.9}]}
    ).result
    assert result is not None
    assert [one["ci_level"] for one in result["differences"]] == [0.95, 0.9]
    assert result["sides"][0]["summary"]["return_ci"] == [None, None]


def test_results_of_other_programs_are_left_as_they_are() -> None:
    result = {"return_ci": "wide", "episodes": "many", "sides": [3], "ci": [1]}
    assert Summary(result=result).result == result


def test_page_and_lab_need_the_same_number_of_values() -> None:
    page = Path(__file__).parents[3] / "web" / "src" / "entities" / "evaluations" / "interval.ts"
    assert f"export const LEAST_VALUES = {LEAST_VALUES};" in page.read_text()


def test_values_without_spread_have_no_interval_to_show() -> None:
    assert why_none([500.0, 500.0], 0.9) == "all values are equal"
    assert why_none([None, None], None) == "too few for an interval: 5 needed"
    assert why_none([1.0, 2.0], 0.95) is None
