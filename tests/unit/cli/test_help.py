"""The help of the command: what is written there is what a person reads."""

from __future__ import annotations

import pytest
import typer
from rich.text import Text

from rl_lab.cli.main import app

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_no_word_of_the_help_is_swallowed_as_markup(name: str) -> None:
    command = COMMANDS[name]
    params = command.get_params(typer.Context(command))
    texts = [getattr(param, "help", None) or "" for param in params]
    assert [Text.from_markup(text).plain for text in texts] == texts
