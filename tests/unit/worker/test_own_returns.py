from __future__ import annotations

import json

import numpy as np
from numpy.typing import NDArray

from rl_lab.worker.own_returns import OwnReturns
from rl_lab.worker.own_reward import joined
from rl_lab.worker.user_code.scorer import Scored, StepRows

REWARDS = np.array([0.1, 1.0, 0.2, 1.0, 0.3, 1.0])
LANES = np.array([0, 1, 0, 1, 0, 1], np.int32)
BEGINS = np.array([1, 1, 0, 0, 0, 0], bool)
ENDS = np.array([0, 0, 0, 1, 1, 0], bool)


def steps(part: slice, begins: NDArray[np.bool_] = BEGINS) -> StepRows:
    n = len(REWARDS[part])
    zeros = np.zeros(n)
    return StepRows(
        zeros, zeros, zeros, REWARDS[part], ENDS[part], np.zeros(n, bool), begins[part], LANES[part]
    )


def scored(part: slice) -> Scored:
    return Scored(REWARDS[part], np.stack([REWARDS[part], -REWARDS[part]], axis=1), ("up", "down"))


def test_an_episode_ends_with_the_sum_of_its_own_environment_and_of_each_term() -> None:
    returns = OwnReturns()
    whole = slice(0, 6)
    found = returns.add(steps(whole), scored(whole))
    assert found == [
        (3, {"own_return": 2.0, "own_return/up": 2.0, "own_return/down": -2.0}),
        (
            4,
            {
                "own_return": 0.1 + 0.2 + 0.3,
                "own_return/up": 0.1 + 0.2 + 0.3,
                "own_return/down": -0.1 - 0.2 - 0.3,
            },
        ),
    ]
    assert returns.mean_reward == (2.0 + (0.1 + 0.2 + 0.3)) / 2 and not returns.is_window_full


def test_sums_do_not_depend_on_how_many_steps_were_scored_at_once_or_on_a_checkpoint_between() -> None:
    at_once, in_parts = OwnReturns(), OwnReturns()
    expected = at_once.add(steps(slice(0, 6)), scored(slice(0, 6)))
    found = []
    for row in range(6):
        part = slice(row, row + 1)
        found += [(row + at, values) for at, values in in_parts.add(steps(part), scored(part))]
        resumed = OwnReturns()
        resumed.restore(json.loads(json.dumps(in_parts.state())))
        in_parts = resumed
    assert found == expected and in_parts.state() == at_once.state()


def test_an_episode_that_was_reset_before_its_end_does_not_count_to_the_next() -> None:
    returns, part = OwnReturns(), slice(4, 5)
    returns.add(steps(slice(0, 3)), scored(slice(0, 3)))
    [(_, values)] = returns.add(steps(part, np.ones(6, bool)), scored(part))
    assert values["own_return"] == 0.3


def test_terms_that_come_later_are_zero_before() -> None:
    first = Scored(np.ones(1), np.array([[1.0]]), ("a",))
    second = Scored(np.full(1, 3.0), np.array([[1.0, 2.0]]), ("a", "b"))
    found = joined([first, second])
    assert found.names == ("a", "b")
    assert found.terms.tolist() == [[1.0, 0.0], [1.0, 2.0]] and found.totals.tolist() == [1.0, 3.0]


def test_a_term_that_is_missing_in_a_message_is_zero_in_it() -> None:
    """After a resume the new process returns only terms that it has seen itself."""

    def message(reward: float, begins: bool, ends: bool, names: tuple[str, ...]) -> list[dict[str, float]]:
        no, zero = np.zeros(1, bool), np.zeros(1)
        rows = StepRows(zero, zero, zero, zero, np.array([ends]), no, np.array([begins]))
        values = np.full((1, len(names)), reward)
        return [found for _, found in returns.add(rows, Scored(values.sum(axis=1), values, names))]

    returns = OwnReturns()
    message(5.0, True, False, ("often", "seldom"))
    assert message(1.0, False, True, ("often",))[0]["own_return/seldom"] == 5.0
    message(1.0, True, False, ("often",))
    assert message(2.0, False, True, ("often", "seldom"))[0]["own_return/seldom"] == 2.0
