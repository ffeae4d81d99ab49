"""Commands about many runs: studies and sweeps, verifications, packs, saved views, notes."""

from __future__ import annotations

import typer

from rl_lab.cli.commands.experiments import notes, packs, studies, study_reports, sweep, verifications, views


def register(app: typer.Typer) -> None:
    for module in (sweep, studies, study_reports, verifications, notes, views, packs):
        module.register(app)
