"""The help of the command: what is written there is what a person reads."""

from __future__ import annotations

import pytest
import typer
from rich.text import Text

from rl_lab.cli.main import app, run

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_no_word_of_the_help_is_swallowed_as_markup(name: str) -> None:
    command = COMMANDS[name]
    params = command.get_params(typer.Context(command))
    texts = [getattr(param, "help", None) or "" for param in params]
    assert [Text.from_markup(text).plain for text in texts] == texts


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_can_answer_as_json(name: str) -> None:
    command = COMMANDS[name]
    options = {option for param in command.get_params(typer.Context(command)) for option in param.opts}
    assert "--json" in options


@pytest.mark.parametrize(
    ("arguments", "error", "next_step"),
    [
        (["trian"], "No such command 'trian'. Did you mean 'train'?", "`rl-lab --help`"),
        (["runs", "--limit", "many"], "Invalid value for '--limit'", "`rl-lab runs --help`"),
        (["show"], "Missing argument", "`rl-lab show --help`"),
    ],
)
def test_wrong_use_is_answered_like_every_other_error(
    arguments: list[str], error: str, next_step: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"Error: {error}")
    assert second.startswith(f"Next: {next_step}")
