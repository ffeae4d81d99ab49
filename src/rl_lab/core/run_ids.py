"""Ids of runs and studies: how one is made, and what reads like one."""

from __future__ import annotations

import itertools
import secrets
import time

ID_LENGTH = 12
_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_numbers = itertools.count(secrets.randbelow(32**5))
"""Random at the start, so that two processes differ; counted on, so that one never repeats itself within a second."""
SPREAD = 0x9E3779B1
"""Odd, so that different numbers stay different; large, so that ids in a row differ in their first random character."""


def new_run_id() -> str:
    """Twelve characters, sortable by creation time to the second, safe in a path and a URL."""
    return _digits(int(time.time()), 7) + _digits(next(_numbers) * SPREAD, 5)


def is_run_id(text: str) -> bool:
    """Whether it reads like a whole id. One begins with the time, so with a digit: `lunarlanding` is a name."""
    return len(text) == ID_LENGTH and text[0].isdecimal() and all(letter in _ALPHABET for letter in text)


def _digits(number: int, count: int) -> str:
    """The last digits of a number in base 32."""
    text = ""
    for _ in range(count):
        number, digit = divmod(number, 32)
        text = _ALPHABET[digit] + text
    return text
