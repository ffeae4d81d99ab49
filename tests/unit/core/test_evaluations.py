"""Results of jobs as they are written and read again."""

from __future__ import annotations

import json
import math

from rl_lab.core.evaluations import (
    FilmResult,
    FilmScene,
    ForkResult,
    PairedDifference,
    read_result,
    write_result,
)


def test_a_result_keeps_the_names_that_older_labs_wrote() -> None:
    film = FilmResult(film="film.mp4", scenes=[FilmScene(episode=1, timestep=None, returned=2.0)])
    written = write_result(film)
    assert written == {"film": "film.mp4", "scenes": [{"episode": 1, "timestep": None, "return": 2.0}]}
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
