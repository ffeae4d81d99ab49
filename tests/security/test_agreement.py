"""What runs is what was agreed to: which files may be named, what an approval covers, what is compared."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from rl_lab.core.commands import Command
from rl_lab.core.errors import InvalidInput
from rl_lab.orchestrator.foreign.agreements import agreement_of
from rl_lab.runners.foreign import ForeignParams
from rl_lab.runners.program import find_program
from rl_lab.runners.python_call import require_script


@pytest.fixture(params=["pipe", "socket", "device", "folder"])
def no_file(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Something named like a script that is no regular file."""
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    path = tmp_path / "train.py"
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "socket":
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind("train.py")
    elif request.param == "device":
        path.symlink_to("/dev/zero")
    else:
        path.mkdir()
    return path


def test_b11_only_a_regular_file_is_opened_as_a_script(no_file: Path) -> None:
    """Opening a pipe without a writer would block the thread for ever, and reading a device never ends."""
    with pytest.raises(InvalidInput):
        require_script(no_file)
    command = Command(argv=[str(no_file)], shown=[str(no_file)], cwd="/", script=str(no_file))
    with pytest.raises(InvalidInput, match=r"train\.py"):
        agreement_of(command, None)
    if not stat.S_ISSOCK(no_file.stat().st_mode):
        with pytest.raises(InvalidInput, match=r"train\.py"):
            find_program(ForeignParams(command=[str(no_file)]))
