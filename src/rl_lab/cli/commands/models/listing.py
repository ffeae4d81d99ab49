"""`rl-lab models`: named models, or the checkpoints of all runs."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    """Adds `rl-lab models`."""
