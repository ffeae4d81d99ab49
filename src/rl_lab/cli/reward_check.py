"""A reward is tried before its training is created, and what that shows is printed before the training starts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rl_lab.cli.code_consent import Post
from rl_lab.cli.output import number
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient
    from rl_lab.core.workbench.codes import CodeCheck


def checked_first(client: LabClient, post: Post, *, quiet: bool) -> Post:
    """Sends the settings of trainings after their reward was tried, where they have one."""

    def send(wanted: dict[str, Any]) -> dict[str, Any]:
        if wanted.get("reward") and not quiet:
            show_reward_check(client, wanted)
        return post(wanted)

    return send


def show_reward_check(client: LabClient, wanted: dict[str, Any]) -> None:
    """Prints nothing for what the lab refuses: creating the training says it, with everything else that is wrong."""
    from rl_lab.core.errors import InvalidInput, LabError
    from rl_lab.core.workbench.codes import CodeCheck, CodeChoice

    given = {name: value for name, value in wanted.items() if value is not None}
    try:
        found = CodeCheck.model_validate(client.post("/api/runs/reward-check", given))
    except LabError as error:
        if error.status != InvalidInput.status:
            raise
        return
    if found.is_usable:
        choice = CodeChoice.model_validate(wanted["reward"])
        print("\n".join(check_lines(str(choice), wanted.get("env_id") or "", found)), file=sys.stderr)


def check_lines(name: str, env_id: str, found: CodeCheck) -> list[str]:
    from rl_lab.core.workbench.reward_costs import cost_sentence

    where = f" of {env_id}" if env_id else ""
    tried = [f"{name} works on {number(found.calls, 0)} steps{where}."] if found.calls else []
    cost = [sentence] if (sentence := cost_sentence(found)) else []
    remarks = [
        f"{name}: {one.level}: {one.sentence}" for one in found.remarks if one.level in ("warning", "info")
    ]
    return [" ".join([*tried, *cost]), *remarks] if tried else remarks
