"""Commands about trained policies: the list of models and checkpoints, names, inspection, import, the hub."""

from __future__ import annotations

import typer

from rl_lab.cli.commands.models import (
    certifications,
    checkpoints,
    continuing,
    deploy,
    downloads,
    imports,
    inspecting,
    listing,
    pulls,
    pushes,
)

MODULES = (
    certifications,
    listing,
    inspecting,
    checkpoints,
    continuing,
    downloads,
    deploy,
    pushes,
    pulls,
    imports,
)


def register(app: typer.Typer) -> None:
    for module in MODULES:
        module.register(app)
