"""The gate every request and socket passes: Host, Origin, token, size of the body, headers of the answer.

Plain ASGI, because it must also see WebSockets and must not buffer streams.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rl_lab.api.http.bodies import (
    MAX_BODY_BYTES,
    MAX_OPEN_BODY_BYTES,
    MAX_UPLOAD_BYTES,
    TOO_LARGE,
    announced_bytes,
    is_upload,
    limited,
)
from rl_lab.api.http.problems import problem_response, status_problem
from rl_lab.api.http.signed_out import UntilSignedOut
from rl_lab.api.http.tokens import READING, Keyring, KnownCaller, find_view_key, take_view_key
from rl_lab.core.errors import Forbidden, LabError, Unauthorised

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
OPEN_PATHS = frozenset({"/api/health", "/api/session", "/api/docs", "/api/openapi.json"})
"""Answered without a token: health, sign-in and documentation."""
LOOPBACK = ("127.0.0.1", "localhost", "::1")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'; "
        "img-src 'self' data: blob:; media-src 'self' blob:; worker-src 'self' blob:; "
        # The page's component libraries insert <style> elements at run time.
        "style-src 'self' 'unsafe-inline'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


PART_TYPES = frozenset(
    {
        "application/json",
        "application/problem+json",
        "font/woff2",
        "image/jpeg",
        "text/css",
        "text/javascript",
    }
)
"""Answers that a browser never shows as a document of their own; most headers are about documents only."""
PART_HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""A script may be a worker, so it has a policy too. A first visit has twenty such answers: short headers count."""


class Gate:
    """Lets through what comes from this lab's own page or carries its token."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str]) -> None:
        self._app = app
        self._hosts = frozenset((*LOOPBACK, *(host.lower() for host in hosts)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        send = _with_headers(scope, send)
        headers = Headers(scope=scope)
        view_key = take_view_key(scope)
        try:
            caller = self._check(scope, headers, view_key)
        except LabError as error:
            await _refuse(error, scope, receive, send)
            return
        if scope["type"] == "http":
            most_bytes = MAX_OPEN_BODY_BYTES if is_open(scope["path"]) else MAX_BODY_BYTES
            if is_upload(scope["method"], scope["path"]):
                most_bytes = MAX_UPLOAD_BYTES
            if announced_bytes(headers) > most_bytes:
                await problem_response(status_problem(413, TOO_LARGE))(scope, receive, send)
                return
            receive = limited(receive, most_bytes)
        await self._app_for(caller, scope)(scope, receive, send)

    def _app_for(self, caller: KnownCaller | None, scope: Scope) -> ASGIApp:
        scope["rl_lab.caller"] = caller
        if caller is None or caller.session_id is None:
            return self._app
        return UntilSignedOut(self._app, scope["app"].state.keyring.sessions, caller.session_id)

    def _check(self, scope: Scope, headers: Headers, view_key: str | None) -> KnownCaller | None:
        """Who asks; None for a stranger at an open address."""
        host = headers.get("host", "")
        if _hostname(host) not in self._hosts:
            raise Forbidden(
                "The Host header does not name this lab.",
                next_step="Open the address that `rl-lab serve` printed; another name needs --host.",
            )
        path: str = scope["path"]
        if not path.startswith("/api"):
            return None
        _check_origin(scope, headers, host)
        keyring: Keyring = scope["app"].state.keyring
        is_reading = scope["type"] == "websocket" or scope["method"] in READING
        caller = keyring.find_caller(headers, view_key if is_reading else None)
        if caller is None and not is_open(path):
            raise Unauthorised(
                "This lab answers only to those who hold its token, and to browsers that are signed in.",
                next_step="Run `rl-lab sign-in` for a sign-in link, or send the content of the file "
                "`token` in the lab's home folder as `Authorization: Bearer …`.",
            )
        return caller


def is_open(path: str) -> bool:
    """Whether the address needs no token: the page and the few open ones of the API."""
    return path in OPEN_PATHS or not path.startswith("/api")


def is_signed_in(app: Any, headers: Headers, query: bytes) -> bool:
    """Whether the lab knows who asks; the gate then decides what they may do."""
    keyring: Keyring = app.state.keyring
    return keyring.find_caller(headers, find_view_key(query)) is not None


def _check_origin(scope: Scope, headers: Headers, host: str) -> None:
    """Refuses what another site's page asks for: by Origin where it counts, by Sec-Fetch-Site everywhere."""
    changes = scope["type"] == "websocket" or scope["method"] not in SAFE_METHODS
    origin = headers.get("origin")
    foreign = changes and origin is not None and not _same_origin(origin, host)
    if foreign or headers.get("sec-fetch-site") in {"cross-site", "same-site"}:
        raise Forbidden(
            "The request comes from the page of another site.",
            next_step="Use the lab's own page, or a script that sends no Origin header.",
        )
    if changes and origin is None and "cookie" in headers and "authorization" not in headers:
        if headers.get("sec-fetch-site") == "same-origin" or scope["path"] in OPEN_PATHS:
            return
        raise Forbidden(
            "A request that changes something and is signed in by cookie must name its Origin.",
            next_step="Send `Authorization: Bearer …` from scripts.",
        )


def _same_origin(origin: str, host: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and parts.netloc.lower() == host.lower()


def _hostname(host: str) -> str:
    """`[::1]:80` → `::1`, `localhost:80` → `localhost`; an empty string for what is not a host."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port
    except ValueError:
        return ""
    if parts.netloc != host or "@" in host:
        return ""
    return (parts.hostname or "").lower()


def _with_headers(scope: Scope, send: Send) -> Send:
    is_api = scope["path"].startswith("/api")

    async def sender(message: Message) -> None:
        if message["type"] in {"http.response.start", "websocket.http.response.start"}:
            headers = MutableHeaders(scope=message)
            kind = headers.get("content-type", "").partition(";")[0]
            for name, value in (PART_HEADERS if kind in PART_TYPES else HEADERS).items():
                headers.setdefault(name, value)
            if is_api:
                headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sender


async def _refuse(error: LabError, scope: Scope, receive: Receive, send: Send) -> None:
    headers = {"WWW-Authenticate": "Bearer"} if isinstance(error, Unauthorised) else None
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008, "reason": error.detail[:120]})
        return
    await problem_response(error.problem(), headers)(scope, receive, send)
