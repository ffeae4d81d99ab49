"""Progress of a job where there is no terminal."""

from __future__ import annotations

import pytest

from rl_lab.cli.job_progress import JobLines, open_job_bar


def test_a_line_every_few_seconds_with_share_and_time_left(capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0.0, 1.0, 6.0, 7.0, 20.0])
    lines = JobLines("Playing 10 seeds", "seeds", now=lambda: next(clock))
    lines.advance(1, 10)  # too early
    lines.advance(3, 10)
    lines.advance(4, 10)  # too early again
    lines.advance(10, 10)
    assert capsys.readouterr().err.splitlines() == [
        "Playing 10 seeds: 30%  3 of 10 seeds  ETA 0:14",
        "Playing 10 seeds: 100%  10 of 10 seeds  ETA 0:00",
    ]


def test_bytes_are_shown_as_people_read_them(capsys: pytest.CaptureFixture[str]) -> None:
    JobLines("Pulling ada/x", "bytes", now=iter([0.0, 6.0]).__next__).advance(20_000_000, 60_000_000)
    assert capsys.readouterr().err == "Pulling ada/x: 33%  20.0 MB of 60.0 MB  ETA 0:12\n"


def test_a_job_may_count_something_else_later(capsys: pytest.CaptureFixture[str]) -> None:
    clock = iter([0.0, 6.0, 20.0, 26.0])
    lines = JobLines("Importing swing", "episodes", now=lambda: next(clock))
    lines.advance(20_000_000, 60_000_000, "bytes")
    lines.advance(100, 400, "steps")
    lines.advance(200, 400, "steps")
    assert capsys.readouterr().err.splitlines() == [
        "Importing swing: 33%  20.0 MB of 60.0 MB  ETA –",
        "Importing swing: 25%  100 of 400 steps  ETA –",
        "Importing swing: 50%  200 of 400 steps  ETA 0:06",
    ]


def test_without_a_total_nothing_is_made_up(capsys: pytest.CaptureFixture[str]) -> None:
    lines = JobLines("Filming", "scenes", now=iter([0.0, 9.0]).__next__)
    lines.advance(3, 0)
    assert capsys.readouterr().err == ""


def test_json_output_is_not_disturbed(capsys: pytest.CaptureFixture[str]) -> None:
    with open_job_bar("Filming", quiet=True) as advance:
        advance(1, 2)
    assert capsys.readouterr().err == ""
