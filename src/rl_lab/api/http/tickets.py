"""Tickets: what a sign-in link carries instead of the token.

A link ends up on a browser's command line, which every program of the machine can read. So a ticket works once, for a
short time, and never for another user of the machine (`peers.py`).
"""

from __future__ import annotations

import hashlib
import secrets
import threading
import time
from collections.abc import Callable

TICKET_S = 30
MOST_TICKETS = 32
"""Valid at the same time; one more makes the oldest invalid."""


class Tickets:
    """May be used from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._valid: dict[bytes, float] = {}
        """The hash of each ticket and when it expires, the oldest first."""

    def issue(self) -> str:
        ticket = secrets.token_urlsafe(24)
        with self._lock:
            self._drop_expired()
            while len(self._valid) >= MOST_TICKETS:
                del self._valid[next(iter(self._valid))]
            self._valid[_hash(ticket)] = self._clock() + TICKET_S
        return ticket

    def is_valid(self, ticket: str) -> bool:
        with self._lock:
            self._drop_expired()
            return _hash(ticket) in self._valid

    def take(self, ticket: str) -> bool:
        """Whether the ticket was valid; from now on it is not."""
        with self._lock:
            self._drop_expired()
            return self._valid.pop(_hash(ticket), None) is not None

    def _drop_expired(self) -> None:
        now = self._clock()
        for expired in [ticket for ticket, ends in self._valid.items() if ends <= now]:
            del self._valid[expired]


def _hash(ticket: str) -> bytes:
    """A hash, so that how long the look-up takes says nothing about a ticket."""
    return hashlib.sha256(ticket.encode("utf-8", "surrogateescape")).digest()
