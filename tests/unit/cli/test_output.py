"""What the command prints."""

from __future__ import annotations

import pytest

from rl_lab.cli.commands.runners import bounds
from rl_lab.cli.follow import exit_code
from rl_lab.cli.output import bytes_text, duration, number, print_error
from rl_lab.cli.progress import TrainingPace
from rl_lab.cli.run_output import new_lines
from rl_lab.core.errors import FieldError, InvalidInput, MoveRefused


def test_a_problem_says_field_allowed_values_and_next_step(capsys: pytest.CaptureFixture[str]) -> None:
    error = InvalidInput(
        "gamma: too large",
        errors=[
            FieldError(
                field="params.gamma",
                message="too large",
                allowed={"type": "number", "exclusiveMinimum": 0, "maximum": 1},
            )
        ],
        next_step="Take 0.99.",
    )
    print_error(error.problem())
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "Error: gamma: too large\n  params.gamma allows: number, > 0, ≤ 1\nNext: Take 0.99.\n"


def test_a_refused_move_says_what_is_possible(capsys: pytest.CaptureFixture[str]) -> None:
    print_error(MoveRefused("It has ended.", allowed=["resume"]).problem())
    assert "Allowed now: resume" in capsys.readouterr().err


def test_every_wrong_field_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    fields = [FieldError(field="a", message="is odd"), FieldError(field="b", message="is even")]
    print_error(InvalidInput.of_fields(fields).problem())
    said = capsys.readouterr().err
    assert "a: is odd" in said
    assert "b: is even" in said


@pytest.mark.parametrize(("seconds", "text"), [(None, "–"), (5, "0:05"), (65, "1:05"), (3661, "1:01:01")])
def test_durations_read_like_a_clock(seconds: float | None, text: str) -> None:
    assert duration(seconds) == text


def test_numbers_and_sizes_are_readable() -> None:
    assert number(None) == "–"
    assert number(1234.56) == "1,234.6"
    assert bytes_text(12) == "12 B"
    assert bytes_text(1_500_000) == "1.5 MB"


@pytest.mark.parametrize(
    ("seen", "lines", "new"),
    [
        ([], ["a"], ["a"]),
        (["a", "b"], ["a", "b", "c"], ["c"]),
        (["a", "b"], ["b", "a", "b"], []),
        (["a"], ["x", "y"], ["x", "y"]),
    ],
)
def test_following_a_log_prints_each_line_once(seen: list[str], lines: list[str], new: list[str]) -> None:
    assert new_lines(seen, lines) == new


def test_the_time_left_follows_from_the_pace() -> None:
    pace = TrainingPace(1000)
    assert pace.eta_s is None
    pace.update({"timestep": 500, "fps": 100.0})
    assert (pace.fraction, pace.eta_s) == (0.5, 5.0)
    pace.update({"timestep": 1200, "fps": None})
    assert (pace.fraction, pace.eta_s) == (1.0, 0)


@pytest.mark.parametrize(
    ("status", "interrupted", "code"),
    [
        ("succeeded", False, 0),
        ("stopped", False, 0),
        ("failed", False, 1),
        ("lost", False, 1),
        ("stopped", True, 130),
    ],
)
def test_the_exit_code_tells_how_it_ended(status: str, interrupted: bool, code: int) -> None:
    assert exit_code(status, interrupted) == code


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ({"minimum": 0, "exclusiveMaximum": 1}, "≥ 0, < 1"),
        ({"anyOf": [{"exclusiveMinimum": 0}, {"type": "null"}]}, "> 0"),
        ({"enum": ["tanh", "relu"]}, "tanh | relu"),
        ({"type": "boolean"}, ""),
    ],
)
def test_a_range_is_read_from_the_schema(field: dict[str, object], text: str) -> None:
    assert bounds(field) == text
