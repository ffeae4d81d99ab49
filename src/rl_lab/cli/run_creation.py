"""Creates a run or a study: a missing runner is installed and a script approved, if the user agrees."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rl_lab.cli.code_consent import Post, is_refusal, post_approved
from rl_lab.cli.commands.runners import offer_install
from rl_lab.cli.commands.scripts import approve
from rl_lab.cli.corrections import create_corrected
from rl_lab.cli.reward_check import checked_first
from rl_lab.cli.studies.study_requests import create_study
from rl_lab.cli.terminal import print

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient


def create_approved_study(
    client: LabClient, study: dict[str, Any], base: dict[str, Any], *, yes: bool, quiet: bool
) -> dict[str, Any] | None:
    """A study whose runs have these settings; None when the user does not approve a script."""
    post = create_study(client, study)
    created: dict[str, Any] | None = create_corrected(
        lambda base: create_run(client, base, post, yes=yes, quiet=quiet), base, yes=yes, quiet=quiet
    )
    if created is None:
        print("Not run.", file=sys.stderr)
    return created


def create_run(
    client: LabClient, wanted: dict[str, Any], post: Post | None = None, *, yes: bool, quiet: bool
) -> dict[str, Any] | None:
    """Offers to install a runner that is missing; None when the user does not approve a script.

    `post` sends the settings of a run, or of all runs of a study, to the lab.
    """
    from rl_lab.core.errors import LabError

    send = checked_first(client, post or (lambda wanted: client.post("/api/runs", wanted)), quiet=quiet)

    def create() -> dict[str, Any] | None:
        return post_run(client, send, wanted, lambda: wanted, yes=yes, quiet=quiet)

    try:
        return create()
    except LabError as error:
        is_missing = error.problem().type == "urn:rl-lab:not-ready"
        if not is_missing or not offer_install(client, wanted["runner"], yes=yes, quiet=quiet):
            raise
    return create()


def post_run(
    client: LabClient,
    post: Post,
    wanted: dict[str, Any],
    find_settings: Callable[[], dict[str, Any]],
    *,
    yes: bool,
    quiet: bool,
) -> dict[str, Any] | None:
    """A user's script is shown and approved before it runs, and so is code that cannot be isolated here.

    None when the user says no. `find_settings`: of the run, where its command has to be shown.
    """
    from rl_lab.core.errors import LabError

    try:
        return post_approved(post, wanted, yes=yes)
    except LabError as error:
        if not is_refusal(error):
            raise
    preview = client.post("/api/commands/preview", find_settings())
    if not approve(preview, yes=yes, quiet=quiet):
        return None
    return post({**wanted, "consent": preview["sha256"]})
