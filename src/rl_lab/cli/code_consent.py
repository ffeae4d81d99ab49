"""Asks before a user's own code runs on a machine that cannot isolate it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from rl_lab.cli.terminal import confirm, print
from rl_lab.core.errors import ConsentNeeded, InvalidInput, LabError

Post = Callable[[dict[str, Any]], dict[str, Any]]
"""Sends a request to the lab that may execute code of the user."""


def post_approved(post: Post, wanted: dict[str, Any], *, yes: bool) -> dict[str, Any] | None:
    """Sends it again with the user's approval of each code that the lab cannot isolate; None when the user says no.

    A refusal that names no hash, such as that of a script, is raised.
    """
    while True:
        try:
            return post(wanted)
        except LabError as error:
            sha256 = find_hash(error)
            if sha256 in (None, wanted.get("consent")):
                raise
            if not approve_code(error, yes=yes):
                return None
            wanted = {**wanted, "consent": sha256}


def is_refusal(error: LabError) -> bool:
    return error.status == ConsentNeeded.status


def find_hash(error: LabError) -> str | None:
    """Of the code that has to be approved; None for every other error."""
    named = [one.allowed for one in error.errors if one.field == "consent" and one.allowed]
    return str(named[0][0]) if is_refusal(error) and named else None


def approve_code(error: LabError, *, yes: bool) -> bool:
    """Shows why it is asked; InvalidInput where there is no terminal to ask at."""
    print(error.detail, file=sys.stderr)
    if yes:
        return True
    if not sys.stdin.isatty():
        raise InvalidInput(error.detail, next_step="Read the code; --yes approves it.")
    return confirm("Run it with your rights?")
