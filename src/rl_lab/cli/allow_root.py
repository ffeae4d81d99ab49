"""--allow-root: for a lab that runs as root, foreign programs stay root, without its capabilities."""

from __future__ import annotations

import os
from typing import Annotated

import typer

AllowRoot = Annotated[
    bool,
    typer.Option(
        "--allow-root", help="In a lab of root: programs stay root, instead of an unprivileged user."
    ),
]


def allow_root_in_own_lab() -> None:
    """For the lab that this command may start; one that already runs keeps its own setting."""
    os.environ["RL_LAB_ALLOW_ROOT"] = "1"
