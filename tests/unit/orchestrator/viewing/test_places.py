"""Which modules of a script register its environments, and where it was started."""

from __future__ import annotations

import json
from pathlib import Path

from rl_lab.orchestrator.viewing.places import find_place, local_modules


def test_only_modules_next_to_the_script_are_local(tmp_path: Path) -> None:
    (tmp_path / "corridor.py").touch()
    (tmp_path / "envs").mkdir()
    script = tmp_path / "train.py"
    script.write_text("import torch, corridor\nfrom envs.maze import Maze\nfrom . import more\n")
    assert local_modules(script) == ["corridor", "envs.maze"]


def test_a_script_that_cannot_be_read_has_none(tmp_path: Path) -> None:
    script = tmp_path / "train.py"
    assert local_modules(script) == []
    script.write_text("this is not Python")
    assert local_modules(script) == []


def test_only_a_confined_script_is_a_place(tmp_path: Path) -> None:
    attempt = tmp_path / "attempts" / "1"
    attempt.mkdir(parents=True)
    (attempt / "job.json").write_text("{}")
    assert find_place(tmp_path, None) is None, "no launch.json"
    launch = {"argv": ["/usr/bin/python3", "start.py", "job.json", "--", "/code/train.py"], "cwd": "/work"}
    (attempt / "launch.json").write_text(json.dumps(launch))
    assert find_place(tmp_path, None) is None, "one of the lab's own workers"
    (attempt / "launch.json").write_text(json.dumps({**launch, "confine": {"reads": ["/code"]}}))
    place = find_place(tmp_path, "mini-grid 3.0")
    assert place is not None
    assert (place.python, place.folder, place.modules) == ("/usr/bin/python3", "/code", ["mini_grid"])
