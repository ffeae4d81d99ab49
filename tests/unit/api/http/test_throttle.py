"""Wrong tokens: a few are free, then each costs a wait that doubles, for that address alone."""

from __future__ import annotations

import pytest

from rl_lab.api.http.throttle import ADDRESSES, FREE_TRIES, LONGEST_WAIT_S, Throttle
from rl_lab.core.errors import TooManyTries


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def fail(throttle: Throttle, address: str, times: int) -> None:
    for _ in range(times):
        throttle.count_wrong(address)


def wait_of(throttle: Throttle, address: str) -> int:
    with pytest.raises(TooManyTries) as raised:
        throttle.count_wrong(address)
    return raised.value.retry_after_s


def test_a_few_wrong_tokens_cost_nothing() -> None:
    throttle = Throttle(Clock())
    fail(throttle, "a", FREE_TRIES)
    assert wait_of(throttle, "a") == 1, "the free ones are used up"


def test_the_wait_doubles_up_to_a_quarter_of_an_hour() -> None:
    clock = Clock()
    throttle = Throttle(clock)
    fail(throttle, "a", FREE_TRIES)
    waits = []
    for _ in range(14):
        waits.append(wait_of(throttle, "a"))
        clock.now += waits[-1]
        throttle.count_wrong("a")
    assert waits[:4] == [1, 2, 4, 8]
    assert waits[-1] == LONGEST_WAIT_S


def test_the_right_token_and_other_addresses_are_not_held_back() -> None:
    throttle = Throttle(Clock())
    fail(throttle, "a", FREE_TRIES)
    assert wait_of(throttle, "a") == 1
    throttle.count_wrong("b")
    throttle.succeeded("a")
    fail(throttle, "a", FREE_TRIES)
    assert wait_of(throttle, "a") == 1, "it begins anew: as many free tries, and a short wait"


def test_many_addresses_do_not_fill_the_memory() -> None:
    throttle = Throttle(Clock())
    fail(throttle, "first", FREE_TRIES)
    for number in range(ADDRESSES):
        throttle.count_wrong(str(number))
    throttle.count_wrong("first")
    assert len(throttle._records) == ADDRESSES
