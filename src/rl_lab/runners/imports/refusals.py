"""Why a file is not imported, for the person who chose it."""

from __future__ import annotations

from rl_lab.core.errors import InvalidInput

WHOLE = "Get the file again from where it came; it may be cut or changed."


def refused(message: str, next_step: str = WHOLE) -> InvalidInput:
    return InvalidInput(message, next_step=next_step)
