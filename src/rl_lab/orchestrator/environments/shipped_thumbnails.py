"""Thumbnails that are files of the lab, so that the first visit shows pictures at once (`scripts/thumbnails.py`)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "thumbnails"


def read_shipped(env_id: str) -> bytes | None:
    """The JPEG of an environment; None for one that the lab does not ship."""
    file = _files().get(env_id)
    return file.read_bytes() if file is not None else None


@cache
def _files() -> dict[str, Path]:
    """By environment: a request names an id, never a path."""
    return {file.stem: file for file in FOLDER.glob("*.jpg")}
