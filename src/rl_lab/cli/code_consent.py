"""Asks before a user's own code runs on a machine that cannot isolate it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rl_lab.cli.terminal import confirm, print
from rl_lab.core.errors import ConsentNeeded, InvalidInput, LabError

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


def is_refusal(error: LabError) -> bool:
    return error.status == ConsentNeeded.status


def approve_code(error: LabError, *, yes: bool) -> bool:
    """Shows why it is asked; InvalidInput where there is no terminal to ask at."""
    print(error.detail, file=sys.stderr)
    if yes:
        return True
    if not sys.stdin.isatty():
        raise InvalidInput(error.detail, next_step="Read the code; --yes approves it.")
    return confirm("Run it with your rights?")


def reward_hash(client: LabClient, config: dict[str, Any]) -> str | None:
    """Of the reward that these settings name; None where they name none."""
    from rl_lab.cli.arguments.code_argument import get_version
    from rl_lab.core.workbench.codes import CodeChoice, CodeKind

    reward = config.get("reward")
    if not reward:
        return None
    choice = CodeChoice(**reward)
    return choice.sha256 or str(get_version(client, CodeKind.reward, str(choice))["sha256"])
