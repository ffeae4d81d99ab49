"""Commands about trained policies: the list of models and checkpoints, names, inspection, import, the hub."""

from __future__ import annotations

import typer

from rl_lab.cli.commands.models import continuing, listing


def register(app: typer.Typer) -> None:
    for module in (listing, continuing):
from rl_lab.cli.commands.models import downloads, listing


def register(app: typer.Typer) -> None:
    for module in (listing, downloads):
        module.register(app)
