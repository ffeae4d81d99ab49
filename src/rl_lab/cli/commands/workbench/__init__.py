"""Commands of the workbench: saved rewards and evaluation code, and what is made from them."""

from __future__ import annotations

import typer

from rl_lab.cli.commands.workbench import (
    alerts,
    bench,
    codes,
    derived_metrics,
    evaluation_previews,
    own_environments,
    protocols,
)

MODULES = (codes, bench, evaluation_previews, own_environments, protocols, derived_metrics, alerts)


def register(app: typer.Typer) -> None:
    for module in MODULES:
        module.register(app)
