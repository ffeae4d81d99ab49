from __future__ import annotations

from random import Random

import pytest
from pydantic import ValidationError

from rl_lab.core.workbench.bench import BenchRequest
from rl_lab.core.workbench.bench_choice import choose_episodes, find_others, share_out, spread_over


def test_each_run_gets_the_same_number() -> None:
    assert share_out(30, {"a": 1000, "b": 50, "c": 10}) == {"a": 10, "b": 10, "c": 10}


def test_what_small_runs_leave_over_goes_to_larger_ones() -> None:
    assert share_out(100, {"a": 1000, "b": 5, "c": 20}) == {"a": 75, "b": 5, "c": 20}
    assert share_out(100, {"a": 3, "b": 4}) == {"a": 3, "b": 4}


def test_the_limit_is_kept_with_more_runs_than_episodes() -> None:
    shares = share_out(3, dict.fromkeys("abcdefgh", 10))
    assert sum(shares.values()) == 3
    assert max(shares.values()) == 1


@pytest.mark.parametrize("count", [3, 7, 50, 99])
def test_the_first_and_the_newest_are_taken_and_the_rest_is_spread(count: int) -> None:
    numbers = list(range(100, 200))
    chosen = spread_over(numbers, count, Random(0))
    assert len(set(chosen)) == count
    assert chosen == sorted(chosen)
    assert (chosen[0], chosen[-1]) == (100, 199)
    stretches = count - 2
    for place, number in enumerate(chosen[1:-1]):
        assert place * 98 // stretches <= number - 101 < (place + 1) * 98 // stretches


def test_few_are_the_newest_first() -> None:
    assert spread_over(range(10), 1, Random(0)) == [9]
    assert spread_over(range(10), 2, Random(0)) == [0, 9]
    assert spread_over(range(3), 5, Random(0)) == [0, 1, 2]


def test_the_seed_decides_which_of_similar_episodes_are_taken() -> None:
    recorded = {"a": list(range(1000))}
    first, again, other = (choose_episodes(recorded, 20, seed)["a"] for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_bench_needs_runs_an_environment_or_tags() -> None:
    reward = {"source": "def reward_function(): return 1"}
    with pytest.raises(ValidationError, match="name runs"):
        BenchRequest(rewards=[reward])
    with pytest.raises(ValidationError):
        BenchRequest(rewards=[reward] * 5, env_id="CartPole-v1")
    with pytest.raises(ValidationError):
        BenchRequest(rewards=[reward], env_id="CartPole-v1", limit=1001)
    assert BenchRequest(rewards=[reward], tags=["x"]).limit == 200


def test_runs_with_other_arguments_than_most_episodes_are_found() -> None:
    sizes = {"a": 5, "b": 3, "c": 4, "d": 1}
    assert find_others({"a": "{}", "b": "clip", "c": "clip", "d": "stack"}, sizes) == ["a", "d"]
    assert find_others({"a": "{}", "b": "{}"}, sizes) == []
    assert find_others({"b": "clip", "c": "{}", "d": "{}"}, {"b": 5, "c": 4, "d": 1}) == ["c", "d"]
    assert find_others({}, {}) == []
