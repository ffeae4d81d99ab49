"""The lab's log on the terminal of `rl-lab serve`: messages contain text of runs, so control characters are removed."""

from __future__ import annotations

import logging
from typing import Any

from rl_lab.core.words.shown_text import without_controls

FORMAT = "%(levelname)s: %(message)s"


class PlainFormatter(logging.Formatter):
    """Message and traceback without anything that a terminal would obey."""

    def __init__(self, fmt: str | None = FORMAT, *more: Any) -> None:
        super().__init__(fmt, *more)

    def format(self, record: logging.LogRecord) -> str:
        return without_controls(super().format(record))


LOG_CONFIG: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"()": PlainFormatter}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "loggers": {
        "uvicorn": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
    },
}
"""For uvicorn's own messages; all others reach the handler below."""


def clean_log() -> None:
    """The lab configures no handlers, so its messages go to Python's handler of last resort."""
    if logging.lastResort is not None:
        logging.lastResort.setFormatter(PlainFormatter())
