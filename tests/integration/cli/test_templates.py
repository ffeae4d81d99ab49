"""The templates of the docs work as they are."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from support.server import command

TEMPLATES = Path(__file__).resolve().parents[3] / "docs" / "templates"


def test_the_program_template_conforms(home: Path) -> None:
    done = command(home, "check-worker", "--json", "--", sys.executable, str(TEMPLATES / "program.py"))
    found = json.loads(done.stdout)
    assert (done.returncode, found["conformant"], found["remarks"]) == (0, True, []), found
    assert found["events"]["episode"] == 50
