"""Compresses JSON, text and tables on their way out. Streams, videos, byte ranges and sockets pass untouched.

Files of the page are compressed when it is built (`static.py`), not here.
"""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Callable

import brotli
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SMALLEST_BYTES = 1_000
"""What fits one packet is sent as it is."""
LARGE_BYTES = 128_000
"""Compressed on a thread: other answers do not wait for it."""
ENCODINGS: dict[str, Callable[[bytes], bytes]] = {
    "br": lambda body: bytes(brotli.compress(body, mode=brotli.MODE_TEXT, quality=5)),
    "gzip": lambda body: gzip.compress(body, 6),
}
"""The first that a client accepts. Brotli finds repetitions at any distance, so lists become a third smaller."""
TYPES = ("application/json", "application/problem+json", "text/csv", "text/html", "text/plain")


class Compression:
    """Plain ASGI, because it must see WebSockets and must not buffer streams."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] != "HEAD":
            accepted = accepted_encodings(Headers(scope=scope).get("accept-encoding", ""))
            encoding = next((name for name in ENCODINGS if name in accepted), None)
            if encoding is not None:
                send = _Compressed(send, encoding)
        await self._app(scope, receive, send)


class _Compressed:
    """Holds the start of an answer back until its first part of the body shows whether it is whole."""

    def __init__(self, send: Send, encoding: str) -> None:
        self._send = send
        self._encoding = encoding
        self._start: Message | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_compressible(message):
            self._start = message
            return
        if self._start is not None:
            start, self._start = self._start, None
            message = await _compress(start, message, self._encoding)
            await self._send(start)
        await self._send(message)


def _is_compressible(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    kind = headers.get("content-type", "").partition(";")[0]
    return kind in TYPES and "content-encoding" not in headers and "content-range" not in headers


async def _compress(start: Message, message: Message, encoding: str) -> Message:
    """The body compressed, with its headers changed; one that comes in parts or is small stays as it is."""
    body = message.get("body", b"")
    headers = MutableHeaders(raw=start["headers"])
    headers.add_vary_header("Accept-Encoding")
    if message.get("more_body") or len(body) < SMALLEST_BYTES:
        return message
    compress = ENCODINGS[encoding]
    smaller = await asyncio.to_thread(compress, body) if len(body) >= LARGE_BYTES else compress(body)
    headers["Content-Encoding"] = encoding
    headers["Content-Length"] = str(len(smaller))
    return {**message, "body": smaller}


def accepted_encodings(header: str) -> frozenset[str]:
    """The encodings that an Accept-Encoding header allows: `br;q=0` does not."""
    found = set()
    for part in header.lower().split(","):
        name, _, parameters = part.strip().partition(";")
        quality = parameters.strip().removeprefix("q=").strip()
        if name and quality not in ("0", "0.0", "0.00", "0.000"):
            found.add(name.strip())
    return frozenset(found)
