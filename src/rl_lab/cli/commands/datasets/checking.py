"""`rl-lab datasets check` and `verify`: whether files and episodes are what they were."""

from __future__ import annotations

import typer

from rl_lab.cli.commands.datasets.jobs import VersionArgument, chosen, run_operation
from rl_lab.cli.commands.datasets.listing import group
from rl_lab.cli.output import AsJson


def register(app: typer.Typer) -> None:
    """The commands are those of the group."""


@group.command()
def check(of: VersionArgument, as_json: AsJson = False) -> int:
    """Compare the files of a version with their checksums; exit code 1 if one is damaged or missing."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        return run_operation(client, "Checking", as_json=as_json, do="check", of=chosen(of))


@group.command()
def verify(of: VersionArgument, as_json: AsJson = False) -> int:
    """Simulate every episode again from its seed and actions; exit code 1 if one differs, with its first step."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        return run_operation(client, "Simulating episodes", as_json=as_json, do="verify", of=chosen(of))
