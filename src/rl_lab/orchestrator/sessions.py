"""Who is signed in: sessions of browsers, checked in memory, stored so that they outlive the lab's process.

A session has three secrets, and only keyed hashes of them are stored. The cookie alone gives no access, because a
browser sends it to every port of the host. The key is kept by the page, in storage that no other port can read; it is
sent as a header. The view key is made from the key and only reads: it is for addresses, which cannot carry a header.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.errors import NotFound
from rl_lab.core.sessions import MOST_SESSIONS, BrowserSession, end_of
from rl_lab.core.words.browsers import describe_browser
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.context import Context
from rl_lab.store import sessions as store
from rl_lab.store.sessions import StoredSession

ROUND_S = 300.0
"""How often ended sessions are dropped and the times of the last use are written."""
MAX_USER_AGENT = 400


class SessionSecrets(NamedTuple):
    """Handed to the browser once."""

    cookie: str
    key: str
    view_key: str


@dataclass
class _Held:
    stored: StoredSession
    last_seen_at: datetime
    written_at: datetime
    """The time of the last use that the database knows."""

    def ends_at(self) -> datetime:
        return end_of(self.stored.created_at, self.last_seen_at)


class Sessions:
    """A room of the lab; its hashes are made with the token, so a new token ends all sessions."""

    def __init__(
        self, context: Context, token: str, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._db = context.db
        self._token = token.encode()
        self._token_mark = self._hash("token mark", "")
        self._now = now
        self._held: dict[str, _Held] = {}
        self._at_end: dict[str, set[Callable[[], object]]] = {}
        self._loop = BackgroundLoop("sessions", self._tidy)

    async def open(self) -> None:
        for stored in await self._db.read(store.list_all):
            self._held[stored.id] = _Held(stored, stored.last_seen_at, stored.last_seen_at)
        await self._end(
            {one.stored.id for one in self._held.values() if one.stored.token_mark != self._token_mark}
        )
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()
        with suppress(SQLAlchemyError):  # a full disk must not keep the lab from closing
            await self._write_uses()

    async def create(self, user_agent: str, address: str) -> SessionSecrets:
        """Signs a browser in."""
        secret, key, now = secrets.token_urlsafe(32), secrets.token_urlsafe(32), self._now()
        view_key = _derive_view_key(key)
        session_id = secrets.token_hex(6)
        stored = StoredSession(
            id=session_id,
            token_mark=self._token_mark,
            cookie_hash=self._hash("cookie", secret),
            key_hash=self._hash("key", key),
            view_hash=self._hash("view", view_key),
            user_agent=user_agent[:MAX_USER_AGENT],
            address=address,
            created_at=now,
            last_seen_at=now,
        )
        await self._db.write(lambda conn: store.put(conn, stored))
        self._held[session_id] = _Held(stored, now, now)
        await self._end(set(self._longest_unused()[MOST_SESSIONS:]))
        return SessionSecrets(f"{session_id}.{secret}", key, view_key)

    def find(self, cookie: str, *, key: str | None = None, view_key: str | None = None) -> str | None:
        """The id of the session that these secrets belong to; it counts as a use. The cookie alone is not enough."""
        session_id, _, secret = cookie.partition(".")
        held = self._held.get(session_id)
        if held is None or not self._is_hash(held.stored.cookie_hash, "cookie", secret):
            return None
        has_key = key is not None and self._is_hash(held.stored.key_hash, "key", key)
        has_view_key = view_key is not None and self._is_hash(held.stored.view_hash, "view", view_key)
        now = self._now()
        if not (has_key or has_view_key) or held.ends_at() <= now:
            return None
        held.last_seen_at = now
        return session_id

    def list_all(self, current: str | None = None) -> list[BrowserSession]:
        """The last used first; `current` is the id of the caller's own session."""
        return [self._describe(self._held[found], current) for found in self._longest_unused()]

    async def end(self, session_id: str) -> BrowserSession:
        """Ends one session and closes its open connections; NotFound if there is none with this id."""
        held = self._held.get(session_id)
        if held is None:
            raise NotFound(
                "No signed-in browser has this id.",
                next_step="`rl-lab sessions` lists the signed-in browsers.",
            )
        ended = self._describe(held, None)
        await self._end({session_id})
        return ended

    async def end_others(self, current: str | None) -> list[BrowserSession]:
        """Ends every session but `current`; returns the ended ones."""
        ended = [session for session in self.list_all() if session.id != current]
        await self._end({session.id for session in ended})
        return ended

    @contextmanager
    def at_end(self, session_id: str, close: Callable[[], object]) -> Iterator[None]:
        """Calls `close` if the session ends inside the block: for connections that stay open."""
        if session_id not in self._held:
            close()
        waiting = self._at_end.setdefault(session_id, set())
        waiting.add(close)
        try:
            yield
        finally:
            waiting.discard(close)
            if not waiting and self._at_end.get(session_id) is waiting:
                del self._at_end[session_id]

    async def _end(self, session_ids: Collection[str]) -> None:
        if not session_ids:
            return
        await self._db.write(lambda conn: store.drop(conn, session_ids))
        for session_id in session_ids:
            self._held.pop(session_id, None)
            for close in list(self._at_end.pop(session_id, ())):
                close()

    async def _tidy(self) -> float:
        now = self._now()
        for session_id in self._at_end.keys() & self._held.keys():
            self._held[session_id].last_seen_at = now
        await self._end({one.stored.id for one in self._held.values() if one.ends_at() <= now})
        await self._write_uses()
        return ROUND_S

    async def _write_uses(self) -> None:
        used = [held for held in self._held.values() if held.last_seen_at != held.written_at]
        seen = {held.stored.id: held.last_seen_at for held in used}
        if seen:
            await self._db.write(lambda conn: store.note_use(conn, seen))
        for held in used:
            held.written_at = seen[held.stored.id]

    def _longest_unused(self) -> list[str]:
        """Ids, the last used first."""
        return sorted(self._held, key=lambda found: self._held[found].last_seen_at, reverse=True)

    def _describe(self, held: _Held, current: str | None) -> BrowserSession:
        browser, system = describe_browser(held.stored.user_agent)
        return BrowserSession(
            id=held.stored.id,
            browser=browser,
            system=system,
            address=held.stored.address,
            created_at=held.stored.created_at,
            last_seen_at=held.last_seen_at,
            ends_at=held.ends_at(),
            is_current=held.stored.id == current,
        )

    def _hash(self, use: str, secret: str) -> str:
        text = f"{use} {secret}".encode("utf-8", "surrogateescape")
        return hmac.new(self._token, text, hashlib.sha256).hexdigest()

    def _is_hash(self, known: str, use: str, secret: str) -> bool:
        return hmac.compare_digest(known, self._hash(use, secret))


def _derive_view_key(key: str) -> str:
    return hmac.new(key.encode(), b"view", hashlib.sha256).hexdigest()[:43]
