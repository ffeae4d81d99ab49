"""How large the body of a request may be: small where no token is needed, so that strangers cannot fill the memory."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

MAX_BODY_BYTES = 1 << 20
MAX_OPEN_BODY_BYTES = 4 << 10
"""At addresses that are open without a token; the largest legitimate body there is a token."""
UPLOAD_PATHS = frozenset({"/api/packs", "/api/models/import", "/api/datasets/uploads"})
"""Where files are sent; they are written to disk as they arrive, so they may be larger than the memory."""
MAX_UPLOAD_BYTES = 64 << 30
TOO_LARGE = "The body of the request is larger than the lab reads."


def announced_bytes(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() else 0


def is_upload(method: str, path: str) -> bool:
    return method == "POST" and path in UPLOAD_PATHS


def limited(receive: Receive, most_bytes: int) -> Receive:
    """For bodies that are sent in chunks without a length."""
    seen = 0

    async def limited_receive() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most_bytes:
            raise HTTPException(413, TOO_LARGE)
        return message

    return limited_receive
