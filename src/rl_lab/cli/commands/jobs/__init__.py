"""Commands that make something from a run: evaluations, films, forks, duels, exports."""

from __future__ import annotations

import typer

from rl_lab.cli.commands.jobs import duels, evaluations, exports, films, forks


def register(app: typer.Typer) -> None:
    for module in (evaluations, films, forks, duels, exports):
        module.register(app)
