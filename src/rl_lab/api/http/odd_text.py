"""Text that cannot be stored or sent on is refused before a route sees it: NUL and halves of surrogate pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from starlette.requests import HTTPConnection, Request

from rl_lab.api.http.bodies import is_upload
from rl_lab.core.errors import InvalidInput

MAY_BE_ODD = re.compile(rb"\\u(0000|[dD][89a-fA-F])")
"""In JSON both can only be written this way; most bodies are not looked through."""
ODD = re.compile("[\x00\ud800-\udfff]")


async def refuse_odd_text(connection: HTTPConnection) -> None:
    """PostgreSQL cannot store a NUL, and an answer with half a surrogate pair cannot be encoded."""
    for name, value in connection.query_params.multi_items():
        if ODD.search(name) or ODD.search(value):
            raise _refusal("query" if ODD.search(name) else name)
    if not isinstance(connection, Request) or is_upload(connection.method, connection.url.path):
        return  # a file is no text
    if MAY_BE_ODD.search(await connection.body()):
        for place, text in _texts(await _json(connection)):
            if ODD.search(text):
                raise _refusal(".".join(place) or "body")


def _refusal(place: str) -> InvalidInput:
    words = "It holds a NUL character or half of a surrogate pair, which is no text."
    return InvalidInput.of_field(ODD.sub("\ufffd", place)[:200], words)


async def _json(request: Request) -> Any:
    try:
        return await request.json()
    except (ValueError, RecursionError):
        return None  # no JSON: the route says so


def _texts(value: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every string of a JSON value, names included, with the place where it is."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), value)]
    while waiting:
        where, found = waiting.pop()
        if isinstance(found, str):
            yield where, found
        elif isinstance(found, list):
            waiting += [((*where, str(number)), one) for number, one in enumerate(found)]
        elif isinstance(found, dict):
            for name, one in found.items():
                yield where, name
                waiting.append(((*where, name), one))
