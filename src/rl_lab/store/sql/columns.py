"""Column types that behave the same on SQLite and PostgreSQL.

Workers and users may send any text and any number. Values that a database cannot store (NUL, lone surrogates, NaN,
integers beyond 64 bits) are converted here.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson
from sqlalchemy import BigInteger, Double, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def clean_text(text: str) -> str:
    """Text that both databases can store: no NUL, no lone surrogates."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


MAX_DEPTH = 100
"""Maximum nesting; deeper values are cut off, because some JSON readers cannot read them."""


def dump_json(value: Any) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return orjson.dumps(_sanitise(value)).decode()


def _sanitise(value: Any, depth: int = 0) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict | list | tuple | set | frozenset) and depth >= MAX_DEPTH:
        return "…"
    if isinstance(value, dict):
        return {clean_text(str(key)): _sanitise(item, depth + 1) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_sanitise(item, depth + 1) for item in value]
    if isinstance(value, bool | float | None):
        return value
    if isinstance(value, int):
        return value if -(2**63) <= value < 2**64 else str(value)
    return clean_text(str(value))


class CleanText(TypeDecorator[str]):
    """Text from users or workers."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else clean_text(value)


class Json(TypeDecorator[Any]):
    """JSON stored as text; NaN and infinities become null."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else dump_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else orjson.loads(value)


class UtcTime(TypeDecorator[datetime]):
    """A time as whole microseconds since 1970, so that it sorts and compares the same everywhere."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        return None if value is None else (value.astimezone(UTC) - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        return None if value is None else _EPOCH + value * _MICROSECOND


class Finite(TypeDecorator[float]):
    """A sortable number: NaN and infinities are stored as null."""

    impl = Double
    cache_ok = True

    def process_bind_param(self, value: float | None, dialect: Dialect) -> float | None:
        return None if value is None or not math.isfinite(value) else float(value)
