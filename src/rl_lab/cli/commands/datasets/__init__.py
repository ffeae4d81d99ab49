"""Commands about datasets: list and show them, make new versions, check them, import and export."""

from __future__ import annotations

import typer

from rl_lab.cli.commands.datasets import changing, checking, files, listing, making, selecting

MODULES = (listing, making, selecting, files, checking, changing)


def register(app: typer.Typer) -> None:
    for module in MODULES:
        module.register(app)
