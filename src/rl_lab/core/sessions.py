"""Sign-in sessions: one per browser that was signed in, and how long it lasts."""

from __future__ import annotations

from datetime import datetime, timedelta

from pydantic import BaseModel

LONGEST = timedelta(days=30)
"""A session ends this long after the sign-in, used or not."""
LONGEST_UNUSED = timedelta(days=7)
"""A session that was not used for this long ends."""
MOST_SESSIONS = 100
"""One more sign-in ends the session that was not used for the longest time."""


class BrowserSession(BaseModel, frozen=True):
    """A browser that is signed in."""

    id: str
    browser: str
    """In words, such as “Firefox 142”; as the browser described itself."""
    system: str
    """Such as “Linux”; empty if the browser did not say."""
    address: str
    """The network address the sign-in came from."""
    created_at: datetime
    last_seen_at: datetime
    ends_at: datetime
    """Unless it is used before: then later, but at most 30 days after the sign-in."""
    is_current: bool
    """Whether this request was made by this browser."""


def end_of(created_at: datetime, last_seen_at: datetime) -> datetime:
    """When a session ends if it is not used any more."""
    return min(created_at + LONGEST, last_seen_at + LONGEST_UNUSED)
