"""Who may use the lab: holders of the token in the home folder, and browsers that are signed in."""

from __future__ import annotations

import hashlib
import hmac
from typing import NamedTuple, Protocol

from starlette.datastructures import Headers
from starlette.types import Scope

from rl_lab.api.http.signed_out import EndingSessions
from rl_lab.api.http.tickets import Tickets

KEY_HEADER = "RL-Lab-Key"
"""Carries the key of a browser's session."""
VIEW_KEY = "view_key"
"""The query parameter for what cannot carry a header: sockets, event streams, pictures, videos, downloads."""
VIEW_PART = f"{VIEW_KEY}=".encode()
READING = frozenset({"GET", "HEAD"})
"""Methods for which the view key is enough."""


class KnownCaller(NamedTuple):
    """Somebody the lab knows."""

    session_id: str | None
    """The browser's session; None for a holder of the token."""


class KnownSessions(EndingSessions, Protocol):
    """The part of the lab's sessions that the gate needs."""

    def find(self, cookie: str, *, key: str | None = None, view_key: str | None = None) -> str | None: ...


class Keyring:
    """Checks the token and the secrets of sessions, and issues tickets."""

    def __init__(self, token: str, sessions: KnownSessions) -> None:
        self._token = token.encode()
        self.sessions = sessions
        self.tickets = Tickets()
        # Cookies are shared between ports: two labs on one machine must not overwrite each other's.
        self.cookie_name = "rl_lab_" + hashlib.sha256(self._token).hexdigest()[:8]

    def knows_token(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "surrogateescape"), self._token)

    def find_caller(self, headers: Headers, view_key: str | None) -> KnownCaller | None:
        """An Authorization header wins: cookies and keys are then ignored. A cookie needs a key next to it."""
        authorization = headers.get("authorization")
        if authorization is not None:
            scheme, _, token = authorization.partition(" ")
            is_holder = scheme.lower() == "bearer" and self.knows_token(token.strip())
            return KnownCaller(None) if is_holder else None
        cookie = _cookie(headers.get("cookie", ""), self.cookie_name)
        if cookie is None:
            return None
        found = self.sessions.find(cookie, key=headers.get(KEY_HEADER), view_key=view_key)
        return KnownCaller(found) if found is not None else None


def take_view_key(scope: Scope) -> str | None:
    """Removes the view key from the address, so that no log line and no route sees it."""
    query: bytes = scope.get("query_string", b"")
    found = find_view_key(query)
    if found is not None:
        # Changed in place: the web server logs refused sockets with the address it finds here.
        scope["query_string"] = b"&".join(p for p in query.split(b"&") if not p.startswith(VIEW_PART))
    return found


def find_view_key(query: bytes) -> str | None:
    parts = (part for part in query.split(b"&") if part.startswith(VIEW_PART))
    found = next(parts, None)
    return None if found is None else found.removeprefix(VIEW_PART).decode("latin-1")


def _cookie(header: str, name: str) -> str | None:
    """By hand: Python's parser gives up at the first odd cookie, and all programs of a machine share theirs."""
    for part in header.split(";"):
        found, _, value = part.strip().partition("=")
        if found == name:
            return value
    return None
