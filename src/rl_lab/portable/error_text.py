"""An exception as one line for a person: its type and everything that it says."""

from __future__ import annotations

import traceback


def error_text(error: BaseException) -> str:
    lines = "".join(traceback.format_exception_only(error)).strip().splitlines()
    if isinstance(error, SyntaxError):  # before its message are the place and the code
        return lines[-1]
    return " ".join(line.strip() for line in lines if line.strip())
