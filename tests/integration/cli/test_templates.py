"""The templates of the docs work as they are."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path

from support.server import command

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = ROOT / "docs" / "templates"
HOW_TO = ROOT / "docs" / "howto" / "runner.md"


def test_the_program_template_conforms(home: Path) -> None:
    done = command(home, "check-worker", "--json", "--", sys.executable, str(TEMPLATES / "program.py"))
    found = json.loads(done.stdout)
    assert (done.returncode, found["conformant"], found["remarks"]) == (0, True, []), found
    assert found["events"]["episode"] == 50


def test_the_runner_template_trains_once_registered_as_documented(home: Path, tmp_path: Path) -> None:
    package = _package_with_the_template(tmp_path / "checkout")
    train = ("train", "CartPole-v1", "--runner", "template", "-a", "reinforce", "-n", "1000", "--seed", "3")
    done = command(home, *train, "--evaluate", "1", "--json", PYTHONPATH=str(package))
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)
    assert (run["status"], run["name"]) == ("succeeded", "REINFORCE on CartPole-v1 · seed 3")
    assert run["progress"]["timestep"] == 1000 and run["progress"]["episodes"] > 0
    shown = command(home, "runners", "reinforce", PYTHONPATH=str(package))
    assert "learning_rate" in shown.stdout, shown.stderr


def _package_with_the_template(checkout: Path) -> Path:
    """A copy of the lab's source with the template as one of its runners; returns the folder to import from."""
    shutil.copytree(
        ROOT / "src" / "rl_lab", checkout / "rl_lab", ignore=shutil.ignore_patterns("__pycache__", "static")
    )
    shutil.copy(TEMPLATES / "runner.py", checkout / "rl_lab" / "runners" / "template.py")
    registry = checkout / "rl_lab" / "runners" / "registry.py"
    start, line = re.findall(r'^RUNNERS: .*$|^    "template": .*$', HOW_TO.read_text(), re.MULTILINE)
    text = registry.read_text()
    assert start in text, "the how-to quotes the table of the registry"
    registry.write_text(text.replace(start, f"{start}\n{line}"))
    return checkout
