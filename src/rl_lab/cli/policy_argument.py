"""Names a trained policy: RUN, RUN@best, RUN@newest, RUN@STEP, or a named model, MODEL@LABEL or MODEL@VERSION."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from rl_lab.cli.checkpoint_argument import find_checkpoint, split_run
from rl_lab.cli.completion import complete_run
from rl_lab.cli.run_argument import find_run_id
from rl_lab.core.errors import NotFound

if TYPE_CHECKING:
    from rl_lab.cli.client import LabClient

PolicyArgument = Annotated[
    str,
    typer.Argument(
        metavar="RUN[@CHECKPOINT]|MODEL[@LABEL]",
        help="A run with best, newest, final or a step (default: best), or a named model with a label or version.",
        autocompletion=complete_run,
    ),
]


def find_policy_id(client: LabClient, wanted: str) -> str:
    """The artifact id of the checkpoint: the best one of a run, or its newest where it keeps no best one."""
    name, at = split_run(wanted)
    run_id = find_run_id(client, name)
    with suppress(NotFound):
        return str(find_checkpoint(client, run_id, at or "best"))
    return str(find_checkpoint(client, run_id, at or "newest"))
