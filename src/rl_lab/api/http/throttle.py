"""Slows down guessing: after a few wrong tokens an address has to wait before each further try, longer each time."""

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

    def check(self, address: str) -> None:
        """Raises TooManyTries while the address has to wait."""
        record = self._records.get(address)
        left_s = record.free_at - self._clock() if record is not None else 0.0
        if left_s > 0:
            wait_s = math.ceil(left_s)
            raise TooManyTries(
                f"Too many wrong tokens came from {address}.",
                retry_after_s=wait_s,
                next_step=f"Wait {wait_s} s, then open the sign-in link that `rl-lab serve` printed.",
            )

    def failed(self, address: str) -> None:
        record = self._records.setdefault(address, _Record())
        self._records.move_to_end(address)
        record.wrong += 1
        if record.wrong >= FREE_TRIES:
            doublings = min(record.wrong - FREE_TRIES, 30)
            record.free_at = self._clock() + min(LONGEST_WAIT_S, FIRST_WAIT_S * 2**doublings)
        while len(self._records) > ADDRESSES:
            self._records.popitem(last=False)

    def succeeded(self, address: str) -> None:
        self._records.pop(address, None)
