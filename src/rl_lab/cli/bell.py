"""The terminal's bell: rings when a followed run has ended, so that nobody has to watch it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from rl_lab.cli.terminal import ring_bell

Bell = Annotated[
    bool | None,
    typer.Option(
        "--bell/--no-bell",
        help="Ring the terminal's bell when the run ends (default: on a terminal).",
        show_default=False,
    ),
]


def ring(wanted: bool | None) -> None:
    """None: only where a person may hear it, on a terminal."""
    if sys.stderr.isatty() if wanted is None else wanted:
        ring_bell()
