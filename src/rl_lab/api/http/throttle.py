"""Slows down guessing at the sign-in: after a few wrong tokens or tickets an address has to wait, longer each time.

Only wrong ones are counted and refused: the caller checks first, so a right token passes whatever others of the same
address try. `Authorization: Bearer` is not counted: a token has 256 random bits, which nobody guesses at any speed, and
a script with an old token should get the same clear answer each time.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from rl_lab.core.errors import TooManyTries

FREE_TRIES = 5
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 900.0
ADDRESSES = 10_000
"""Addresses remembered at once; the one that was quiet longest is forgotten first."""


@dataclass
class _Record:
    wrong: int = 0
    free_at: float = 0.0


class Throttle:
    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._records: OrderedDict[str, _Record] = OrderedDict()

    def count_wrong(self, address: str) -> None:
        """Counts a wrong try; raises TooManyTries, and counts nothing, while the address has to wait."""
        record = self._records.setdefault(address, _Record())
        self._records.move_to_end(address)
        while len(self._records) > ADDRESSES:
            self._records.popitem(last=False)
        left_s = record.free_at - self._clock()
        if left_s > 0:
            raise _too_many(address, math.ceil(left_s))
        record.wrong += 1
        if record.wrong >= FREE_TRIES:
            doublings = min(record.wrong - FREE_TRIES, 30)
            record.free_at = self._clock() + min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**doublings)

    def succeeded(self, address: str) -> None:
        self._records.pop(address, None)


def _too_many(address: str, wait_s: int) -> TooManyTries:
    return TooManyTries(
        f"Too many wrong tokens or sign-in links came from {address}.",
        retry_after_s=wait_s,
        next_step=f"Wait {wait_s} s before you try another one, or run `rl-lab sign-in`: a right one always works.",
    )
