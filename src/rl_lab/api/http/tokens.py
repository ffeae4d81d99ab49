"""Who may use the lab: the token in the home folder, and the cookie a browser gets for it."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time

SESSION_S = 30 * 24 * 3600


class Keyring:
    """Checks tokens and session cookies; a session is signed with the token, so a new token ends them all."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()
        # Cookies are shared between ports: two labs on one machine must not overwrite each other's.
        self.cookie_name = "rl_lab_" + hashlib.sha256(self._token).hexdigest()[:8]

    def knows_token(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "surrogateescape"), self._token)

    def new_session(self) -> str:
        body = f"{int(time.time()) + SESSION_S}.{secrets.token_urlsafe(16)}"
        return f"{body}.{self._sign(body)}"

    def knows_session(self, cookie: str) -> bool:
        body, _, signature = cookie.rpartition(".")
        genuine = hmac.compare_digest(signature.encode("utf-8", "surrogateescape"), self._sign(body).encode())
        expires = body.partition(".")[0]
        return genuine and expires.isdigit() and int(expires) > time.time()

    def admits(self, authorization: str | None, cookies: str | None) -> bool:
        """An Authorization header wins; the cookie is then ignored."""
        if authorization is not None:
            scheme, _, token = authorization.partition(" ")
            return scheme.lower() == "bearer" and self.knows_token(token.strip())
        session = _cookie(cookies or "", self.cookie_name)
        return session is not None and self.knows_session(session)

    def _sign(self, body: str) -> str:
        return hmac.new(
            self._token, f"session {body}".encode("utf-8", "surrogateescape"), "sha256"
        ).hexdigest()


def _cookie(header: str, name: str) -> str | None:
    """By hand: Python's parser gives up at the first odd cookie, and all programs of a machine share theirs."""
    for part in header.split(";"):
        found, _, value = part.strip().partition("=")
        if found == name:
            return value
    return None
