"""A named pipe that nobody writes to, put where the lab opens a file, holds no thread of the server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from support.server import Server

from rl_lab.orchestrator.execution.finisher import describe_file
from rl_lab.orchestrator.viewing.places import local_modules
from rl_lab.store.files.folders import RunFolder


def script(*words: str) -> dict[str, Any]:
    return {"runner": "script", "algorithm": "python", "params": {"command": list(words)}}


def test_b11_previews_of_a_pipe_answer_at_once(lab: Server, tmp_path: Path) -> None:
    pipe = tmp_path / "train.py"
    os.mkfifo(pipe)
    pipe.chmod(0o700)
    module = {**script("python", "-m", "train")["params"], "cwd": str(tmp_path)}
    wanted = [
        script("python", str(pipe)),
        script(str(pipe)),
        script(str(pipe), "x.py"),
        {"runner": "program", "algorithm": "protocol", "params": {"command": [str(pipe)]}},
        {**script(), "params": module},
    ]
    for body in wanted:
        assert lab.client.post("/api/commands/preview", json=body).status_code in {409, 422}
    assert lab.client.get("/api/system").status_code == 200


def test_b11_a_pipe_in_place_of_a_known_file_is_no_file(tmp_path: Path) -> None:
    pipe = tmp_path / "config.json"
    os.mkfifo(pipe)
    assert local_modules(pipe) == []
    folder = RunFolder(tmp_path, "r1")
    folder.create()
    os.mkfifo(folder.path / "config.json")
    assert describe_file(folder, "config.json", "config", "Configuration") is None
