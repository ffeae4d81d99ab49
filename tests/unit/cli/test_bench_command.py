"""`rl-lab rewards bench` with a lab that ends in the middle of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from rl_lab.cli.commands.workbench.bench import _collect
from rl_lab.core.errors import NotReady

PLAN = {"type": "plan", "total": 500, "recorded": 900, "env_id": "CartPole-v1", "runs": [], "rewards": ["a"]}
SCORED = {"type": "episodes", "items": [{"run_id": "r", "episode": 1}]}
DONE = {"type": "done", "seconds": 1.0, "episodes": 1, "steps": 9, "simulated": 1}


class Stream:
    def __init__(self, *messages: dict[str, Any]) -> None:
        self._messages = messages

    def lines(self, path: str, body: Any) -> Iterator[dict[str, Any]]:
        assert (path, body) == ("/api/rewards/bench", {})
        yield from (dict(one) for one in self._messages)


def collect(*messages: dict[str, Any]) -> dict[str, Any]:
    lab: Any = Stream(*messages)
    return _collect(lab, {}, quiet=True)


def test_a_bench_whose_lab_ended_says_how_far_it_was() -> None:
    with pytest.raises(NotReady, match="1 of 500 episodes were scored"):
        collect(PLAN, SCORED)


def test_a_problem_of_one_reward_does_not_excuse_a_missing_end() -> None:
    with pytest.raises(NotReady, match="before the bench had finished"):
        collect(PLAN, {"type": "problem", "reward": 0, "name": "a", "message": "It failed."})


def test_a_whole_bench_and_one_that_failed_are_results() -> None:
    assert collect(PLAN, SCORED, DONE)["done"] is not None
    assert collect(PLAN, {"type": "problem", "reward": None, "message": "No process."})["problems"]
