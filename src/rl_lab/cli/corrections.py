"""Corrects a request that the lab refused, where the answer is at hand: a misspelt environment, a runner left open."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from rl_lab.cli.terminal import confirm, print
from rl_lab.core.errors import FieldError, LabError

RUNNERS = ("turbo", "sb3")
"""Tried in this order when the user names no runner: the fast one first."""


def create_corrected(
    create: Callable[[dict[str, Any]], Any], wanted: dict[str, Any], *, yes: bool, quiet: bool
) -> Any:
    """The result of `create`; a name that is almost right is corrected if the user agrees."""
    try:
        return _create_with_some_runner(create, wanted)
    except LabError as error:
        meant = _environment_meant(error, wanted.get("env_id"), yes=yes, quiet=quiet)
        if meant is None:
            raise
    return _create_with_some_runner(create, {**wanted, "env_id": meant})


def _create_with_some_runner(create: Callable[[dict[str, Any]], Any], wanted: dict[str, Any]) -> Any:
    """With the runner the user named, otherwise with the first one that can learn this."""
    if wanted["runner"] is not None:
        return create(wanted)
    *firsts, last = RUNNERS
    for runner in firsts:
        try:
            return create({**wanted, "runner": runner})
        except LabError as error:
            if not _is_about_runner(error):
                raise
    return create({**wanted, "runner": last})


def _is_about_runner(error: LabError) -> bool:
    """Whether another runner may accept the request: this one lacks the algorithm or the kind of environment."""
    return any(e.field in ("runner", "algorithm") for e in _errors(error))


def _environment_meant(error: LabError, typed: str | None, *, yes: bool, quiet: bool) -> str | None:
    """The environment that the user agreed to instead of the one typed."""
    errors = _errors(error)
    if typed is None or [e.field for e in errors] != ["env_id"] or not isinstance(errors[0].allowed, list):
        return None
    meant = next((str(name) for name in errors[0].allowed), None)
    if meant is None or (quiet and not yes):
        return None
    if yes:
        print(f"There is no environment “{typed}”; {meant} is used.", file=sys.stderr)
        return meant
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    question = f"There is no environment “{typed}”. Use {meant}?"
    return meant if confirm(question, default=True) else None


def _errors(error: LabError) -> list[FieldError]:
    return list(error.problem().errors or ())
