"""One rule for every path a foreign program is given: never the lab's own files."""

from __future__ import annotations

from pathlib import Path

import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.foreign import RUNS, SECRETS, refuse_lab_files

HOME = Path("/somewhere/lab")


def is_refused(path: str, **rule: object) -> bool:
    try:
        refuse_lab_files("params.reads", Path(path), HOME, **rule)  # type: ignore[arg-type]
    except InvalidInput:
        return True
    return False


@pytest.mark.parametrize(
    "path", ["/", "/somewhere", "/somewhere/lab", "/somewhere/lab/../lab", "/somewhere/lab/cache"]
)
def test_the_home_what_contains_it_and_what_is_in_it_are_refused(path: str) -> None:
    assert is_refused(path)


@pytest.mark.parametrize("path", ["/somewhere/else", "/somewhere/laboratory", "/elsewhere/lab"])
def test_other_folders_are_allowed(path: str) -> None:
    assert not is_refused(path)


def test_an_open_part_of_the_home_is_allowed_and_its_neighbours_are_not() -> None:
    assert not is_refused("/somewhere/lab/runs/a/files", is_open=lambda name: name == RUNS)
    assert is_refused("/somewhere/lab/runs/../token", is_open=lambda name: name == RUNS)
    assert is_refused("/somewhere/lab", is_open=lambda name: True)


@pytest.mark.parametrize("name", sorted(SECRETS))
def test_a_secret_is_refused_even_where_the_rest_is_open(name: str) -> None:
    assert is_refused(f"/somewhere/lab/{name}", is_open=lambda name: name not in SECRETS)
    assert not is_refused("/somewhere/lab/interpreters/own", is_open=lambda name: name not in SECRETS)
