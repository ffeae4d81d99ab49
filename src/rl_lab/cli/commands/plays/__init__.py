"""Commands about plays: start one, play without a page, high scores."""

from __future__ import annotations

import typer

from rl_lab.cli.commands.plays import playing, scores


def register(app: typer.Typer) -> None:
    for module in (playing, scores):
        module.register(app)
