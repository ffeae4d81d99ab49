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


def wait_until(
    look: Callable[[], T | None], what: str | Callable[[], str], *, within_s: float = DEADLINE_S
) -> T:
    """The first true answer of `look`. AssertionError with `what` was waited for, when it never comes."""
    deadline = time.monotonic() + within_s
    while not (answer := look()):
        if time.monotonic() > deadline:
            raise AssertionError(_in_vain(what, within_s))
        time.sleep(LOOK_EVERY_S)
    return answer


async def wait_until_async(
    look: Callable[[], Awaitable[T | None] | T | None], what: str | Callable[[], str]
) -> T:
    """The same beside other tasks; `look` may be a coroutine function."""
    deadline = time.monotonic() + DEADLINE_S
    while not (answer := await _answer(look)):
        if time.monotonic() > deadline:
            raise AssertionError(_in_vain(what, DEADLINE_S))
        await asyncio.sleep(LOOK_EVERY_S)
    return answer


async def _answer(look: Callable[[], Awaitable[T | None] | T | None]) -> T | None:
    answer = look()
    return await answer if inspect.isawaitable(answer) else answer


def _in_vain(what: str | Callable[[], str], seconds: float) -> str:
    return f"waited {seconds:.0f} s for {what if isinstance(what, str) else what()}"
