"""Sessions in memory, for tests of the gate that need no database."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext


class OneSession:
    """Knows one signed-in browser by these secrets."""

    cookie, key, view_key = "one.secret", "its key", "its-view-key"

    def find(self, cookie: str, *, key: str | None = None, view_key: str | None = None) -> str | None:
        has_key = key == self.key or view_key == self.view_key
        return "one" if cookie == self.cookie and has_key else None

    def at_end(self, session_id: str, close: Callable[[], object]) -> AbstractContextManager[None]:
        return nullcontext()
