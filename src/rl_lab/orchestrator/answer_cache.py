"""Answers of worker calls that stay true: kept in one small JSON file of the cache folder, which may be deleted."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import orjson

MOST_KEPT = 1000


class AnswerCache:
    """Plain blocking code; call it on a thread."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def find(self, key: str) -> dict[str, Any] | None:
        known = self._read().get(key)
        return known if isinstance(known, dict) else None

    def keep(self, key: str, answer: dict[str, Any]) -> None:
        """The oldest answers make room for new ones."""
        known = {**self._read(), key: answer}
        newest = dict(list(known.items())[-MOST_KEPT:])
        with contextlib.suppress(OSError):  # a full disk costs the cache, not the answer
            aside = self._file.with_suffix(".new")
            aside.write_bytes(orjson.dumps(newest))
            aside.replace(self._file)

    def _read(self) -> dict[str, Any]:
        try:
            known = orjson.loads(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}
