"""Names as a person types them on the command line, without quotes."""

from __future__ import annotations

import re


def as_word(name: str) -> str:
    """A name without spaces and signs, so that it can be typed without quotes."""
    return re.sub(r"[^\w.]+", "-", name).strip("-")


def is_same_name(first: str, second: str) -> bool:
    """Compared as a person reads them: without case, and with spaces as one types them."""
    return as_word(first).casefold() == as_word(second).casefold()
