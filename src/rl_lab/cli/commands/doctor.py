"""`rl-lab doctor`: checks this machine and reports what to fix."""

from __future__ import annotations

import typer

from rl_lab.cli.output import AsJson, print_json
from rl_lab.cli.terminal import print

MARKS = {"ok": "ok      ", "warning": "warning ", "problem": "PROBLEM "}


def register(app: typer.Typer) -> None:
    app.command()(doctor)


def doctor(as_json: AsJson = False) -> int:
    """Check GPU, torch, disk, database, extras, port and sandbox; print a remedy for each problem."""
    from rl_lab.cli.connection import open_lab

    with open_lab() as client:
        findings = client.get("/api/doctor")
    if as_json:
        print_json(findings)
    else:
        for finding in findings:
            print(f"{MARKS[finding['level']]}{finding['title']}: {finding['message']}")
            if finding["remedy"]:
                print(f"        Next: {finding['remedy']}")
    return 1 if any(finding["level"] == "problem" for finding in findings) else 0
