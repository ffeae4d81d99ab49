"""A play is named like a run: by its id, the first characters of it, or its name."""

from __future__ import annotations

from typing import Any

import pytest

from rl_lab.cli.arguments.play_argument import find_play
from rl_lab.core.errors import InvalidInput

PLAYS = [
    {"id": "abcd00000001", "kind": "play", "name": "Evening"},
    {"id": "abxy00000002", "kind": "play", "name": "Morning"},
]
TRAINING = {"id": "zz0000000003", "kind": "train", "name": "abcd"}


class Client:
    """Answers /api/runs as the lab does: `q` is searched in ids and names."""

    def __init__(self, *runs: dict[str, Any]) -> None:
        self._runs = runs

    def get(self, address: str, **query: Any) -> dict[str, Any]:
        assert address == "/api/runs"
        text = query["q"] or ""
        found = [
            run
            for run in self._runs
            if query["kind"] in ("all", run["kind"])
            and (run["id"].startswith(text) or text.lower() in run["name"].lower())
        ]
        return {"items": [] if query["archived"] else found}


def find(wanted: str, *runs: dict[str, Any]) -> str | None:
    return find_play(Client(*runs), wanted)  # type: ignore[arg-type]


@pytest.mark.parametrize("wanted", ["abcd00000001", "abcd", "abc", "evening"])
def test_a_play_is_found_by_its_id_the_start_of_it_or_its_name(wanted: str) -> None:
    assert find(wanted, *PLAYS) == "abcd00000001"


def test_the_start_of_several_ids_lists_the_plays() -> None:
    with pytest.raises(InvalidInput) as refused:
        find("ab", *PLAYS)
    [error] = refused.value.errors
    assert "fits 2 plays" in error.message and len(error.allowed or []) == 2


def test_a_training_that_is_called_like_the_start_of_a_play_is_meant() -> None:
    assert find("abcd", *PLAYS, TRAINING) is None
    assert find("lander", *PLAYS) is None
