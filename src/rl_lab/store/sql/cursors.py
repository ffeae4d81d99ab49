"""Opaque cursors for keyset pagination: the sort order they belong to and the last item of the page."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

import orjson

from rl_lab.core.errors import InvalidInput, nearest

Key = int | float | str | None
MAX_LIMIT = 1000


@dataclass(frozen=True)
class Sort:
    """A column and a direction; written as `name` or `-name`."""

    name: str
    descending: bool

    def __str__(self) -> str:
        return f"-{self.name}" if self.descending else self.name


@dataclass(frozen=True)
class PageEnd:
    """The last item of a page: its sort key, and its id for equal keys."""

    key: Key
    id: str | int


def parse_sort(sort: str, allowed: tuple[str, ...]) -> Sort:
    name = sort.removeprefix("-")
    if name not in allowed:
        close = nearest(name, allowed, 1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise InvalidInput.of_field(
            "sort", f"cannot sort by “{name}”.{hint} A leading - reverses the order.", list(allowed)
        )
    return Sort(name, sort.startswith("-"))


def encode_cursor(sort: Sort, last: PageEnd) -> str:
    return base64.urlsafe_b64encode(orjson.dumps([str(sort), last.key, last.id])).decode().rstrip("=")


def decode_cursor(cursor: str, sort: Sort, id_type: type[str] | type[int]) -> PageEnd:
    try:
        padded = cursor.encode("ascii") + b"=" * (-len(cursor) % 4)
        made_for, key, last_id = orjson.loads(base64.b64decode(padded, b"-_", validate=True))
    except (ValueError, TypeError, binascii.Error):
        raise _refuse("was not created by this lab") from None
    if made_for != str(sort):
        raise _refuse(f"belongs to the sort “{made_for}”, not to “{sort}”")
    if not isinstance(last_id, id_type) or isinstance(last_id, bool) or isinstance(key, bool | list | dict):
        raise _refuse("was not created by this lab")
    return PageEnd(key, last_id)


def check_limit(limit: int) -> int:
    if not 1 <= limit <= MAX_LIMIT:
        raise InvalidInput.of_field(
            "limit", f"must be 1 to {MAX_LIMIT}", {"minimum": 1, "maximum": MAX_LIMIT}
        )
    return limit


def _refuse(why: str) -> InvalidInput:
    return InvalidInput.of_field("cursor", f"this cursor {why}; start again without a cursor", None)
