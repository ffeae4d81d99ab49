"""The kinds of code that a user writes in the lab, and what each must define.

Without pydantic: processes that execute such code start while somebody waits.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class CodeKind(StrEnum):
    reward = "reward"
    evaluation = "evaluation"
    environment = "environment"


class CodeForm(NamedTuple):
    """What the code of one kind has to define."""

    noun: str
    """What a person calls it: "reward"."""
    plural: str
    """Its folder in addresses: /api/rewards."""
    function: str
    """The function it must define; empty for a class."""
    arguments: tuple[str, ...]
    """What the function may take; matched by name."""


FORMS: dict[CodeKind, CodeForm] = {
    CodeKind.reward: CodeForm(
        "reward",
        "rewards",
        "reward_function",
        ("obs", "action", "next_obs", "reward", "terminated", "truncated", "info", "state"),
    ),
    CodeKind.evaluation: CodeForm("evaluation code", "evaluation-codes", "evaluate", ("episode",)),
    CodeKind.environment: CodeForm("environment", "own-environments", "", ()),
}
