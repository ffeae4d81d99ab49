"""Waiting until something is so. The one deadline is here: it says when a test gives up, never how fast the lab is."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

DEADLINE_S = 120.0
"""Long, since a busy machine is slow. The limit of a whole test (pyproject.toml) is longer, so this message is seen."""
LOOK_EVERY_S = 0.02
LOOK_AT_LEAST_EVERY_S = 0.1


def pause_after(waited_s: float) -> float:
    """Until the next look. What took long is looked at less often: a look may ask a lab, which costs both some work."""
    return min(max(LOOK_EVERY_S, waited_s / 10), LOOK_AT_LEAST_EVERY_S)


def wait_until(
    look: Callable[[], T | None], what: str | Callable[[], str], *, within_s: float = DEADLINE_S
) -> T:
    """The first true answer of `look`. AssertionError with `what` was waited for, when it never comes."""
    began = time.monotonic()
    while not (answer := look()):
        if (waited := time.monotonic() - began) > within_s:
            raise AssertionError(_in_vain(what, within_s))
        time.sleep(pause_after(waited))
    return answer


async def wait_until_async(
    look: Callable[[], Awaitable[T | None] | T | None], what: str | Callable[[], str]
) -> T:
    """The same beside other tasks; `look` may be a coroutine function."""
    began = time.monotonic()
    while not (answer := await _answer(look)):
        if (waited := time.monotonic() - began) > DEADLINE_S:
            raise AssertionError(_in_vain(what, DEADLINE_S))
        await asyncio.sleep(pause_after(waited))
    return answer


async def _answer(look: Callable[[], Awaitable[T | None] | T | None]) -> T | None:
    answer = look()
    return await answer if inspect.isawaitable(answer) else answer


def _in_vain(what: str | Callable[[], str], seconds: float) -> str:
    return f"waited {seconds:.0f} s for {what if isinstance(what, str) else what()}"
