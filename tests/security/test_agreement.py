"""What runs is what was agreed to: which files may be named, what an approval covers, what is compared."""

from __future__ import annotations

import asyncio
import importlib.util
import marshal
import os
import socket
import stat
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab, wait_for

from rl_lab.core.commands import Command
from rl_lab.core.errors import InvalidInput
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.foreign.agreements import agreement_of
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.runners.foreign import ForeignParams, RunPaths, next_to, readable, writable
from rl_lab.runners.program import find_program
from rl_lab.runners.python_call import require_script
from rl_lab.store.files.attempt_folder import AttemptFolder


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


SAFE, SWAPPED = "print('as agreed')\n", "print('swapped')\n"


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    folder.mkdir()
    return folder


def swap_before_the_start(monkeypatch: pytest.MonkeyPatch, swap: Callable[[], object]) -> None:
    """After the last comparison of the lab: job.json and launch.json are written, the guardian is not started yet."""
    prepare = AttemptFolder.prepare

    def prepared(self: AttemptFolder, *args: Any) -> None:
        prepare(self, *args)
        swap()

    monkeypatch.setattr(AttemptFolder, "prepare", prepared)


def run_to_end(home: Path, new: NewRun) -> tuple[Run, str]:
    """Looked at, agreed to and run; with its log."""
    furnish(home)

    async def story() -> tuple[Run, str]:
        async with open_lab(home) as lab:
            shown = await lab.runs.preview_command(new)
            created = await lab.runs.create(new.model_copy(update={"consent": shown.sha256, "start": True}))
            run = await wait_for(lab, created.id)
            log = home / "runs" / run.id / "attempts" / "1" / "log.txt"
            return run, log.read_text() if log.exists() else ""

    return asyncio.run(story())


def script(path: Path, *words: str, **params: Any) -> NewRun:
    command = [sys.executable, *(words or [str(path)])]
    return NewRun(runner="script", algorithm="python", params={"command": command, **params})


def test_b9_a_script_that_is_swapped_before_its_start_is_not_run(
    home: Path, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mine / "good.py").write_text(SAFE)
    (mine / "bad.py").write_text(SWAPPED)
    link = mine / "train.py"
    link.symlink_to(mine / "good.py")

    def swap() -> None:
        link.unlink()
        link.symlink_to(mine / "bad.py")

    swap_before_the_start(monkeypatch, swap)
    run, log = run_to_end(home, script(link))
    assert run.status is RunStatus.failed and run.reason is not None
    assert "is not the file that was approved" in run.reason.message
    assert "swapped" not in log.splitlines()


@pytest.mark.parametrize("way", ["script", "module"])
def test_b9_a_module_next_to_the_script_is_run_as_it_was_agreed_to(
    home: Path, mine: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """A changed one ends the run; a compiled file that somebody left for it is not used."""
    package = mine / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("from . import helper\n")
    (package / "helper.py").write_text(SAFE)
    (mine / "train.py").write_text("import pack\n")
    (package / "train.py").write_text("")
    new = script(mine / "train.py")
    if way == "module":
        new = script(mine, "-m", "pack.train", folder=str(mine))
    poison(package / "helper.py")
    run, log = run_to_end(home, new)
    assert (run.status, log.splitlines()) == (RunStatus.succeeded, ["as agreed"]), run.reason
    swap_before_the_start(monkeypatch, lambda: (package / "helper.py").write_text(SWAPPED))
    run, log = run_to_end(home, new)
    assert run.status is RunStatus.failed and run.reason is not None
    assert "helper.py has changed since it was approved" in run.reason.message
    assert not {"swapped", "as agreed"} & set(log.splitlines())


def poison(module: Path) -> None:
    """A compiled file that fits the module by time and size, and does something else."""
    state = module.stat()
    code = marshal.dumps(compile(SWAPPED, str(module), "exec"))
    head = importlib.util.MAGIC_NUMBER + struct.pack("<III", 0, int(state.st_mtime), state.st_size)
    cached = Path(importlib.util.cache_from_source(str(module)))
    cached.parent.mkdir()
    cached.write_bytes(head + code)


def test_b9_a_program_that_is_swapped_before_its_start_is_not_run(
    home: Path, mine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = mine / "trainer"
    program.write_bytes(Path("/bin/echo").resolve().read_bytes())
    program.chmod(0o755)
    event = '{"type":"status","state":"hello"}'
    new = NewRun(runner="program", algorithm="protocol", params={"command": [str(program), event]})
    run, _ = run_to_end(home, new)
    assert run.status is RunStatus.succeeded, run.reason
    swap_before_the_start(monkeypatch, lambda: program.write_text("#!/bin/sh\necho swapped >&2\n"))
    run, log = run_to_end(home, new)
    assert run.status is RunStatus.failed and run.reason is not None
    assert "trainer has changed since it was approved" in run.reason.message
    assert "swapped" not in log


def test_b9_the_preview_names_the_modules_that_are_covered_and_what_changed(home: Path, mine: Path) -> None:
    (mine / "helper.py").write_text("import nested.deep\n")
    (mine / "nested").mkdir()
    (mine / "nested" / "deep.py").write_text("")
    (mine / "unused.py").write_text("")
    (mine / "train.py").write_text("def later():\n    from helper import name\n")
    new = script(mine / "train.py")
    furnish(home)

    async def story() -> None:
        async with open_lab(home) as lab:
            before = await lab.runs.preview_command(new)
            assert before.modules == ["helper.py", "nested/deep.py"] and before.changes == []
            await lab.runs.create(new.model_copy(update={"consent": before.sha256}))
            (mine / "unused.py").write_text("print(1)")
            assert (await lab.runs.preview_command(new)).is_consented
            (mine / "nested" / "deep.py").write_text("print(1)")
            (mine / "train.py").write_text("import helper, unused\n")
            after = await lab.runs.preview_command(new)
            assert not after.is_consented
            assert after.changes == [
                "train.py has changed.",
                "nested/deep.py has changed.",
                "unused.py is imported now.",
            ]

    asyncio.run(story())


def test_a_script_near_another_labs_home_does_not_get_its_token(home: Path, mine: Path) -> None:
    """It may read the modules next to it, and no folder that holds the other lab."""
    other = mine / "data" / "lab"
    (other / "runs" / "abc").mkdir(parents=True)
    for name in ("token", "lab.db"):
        (other / name).write_text("secret")
    (mine / "data" / "__init__.py").touch()
    (mine / "helper.py").touch()
    (mine / "train.py").write_text("import helper\n")
    (other / "train.py").touch()
    assert next_to(mine / "train.py", home) == [str(mine / "train.py"), str(mine / "helper.py")]
    assert next_to(other / "train.py", home) == [str(other / "train.py")]
    paths = RunPaths(home, home / "runs" / "new", home / "job.json")
    for allowed in ("reads", "writes"):
        for folder in (mine, other, other / "token" if allowed == "reads" else other / "runs"):
            params = ForeignParams.model_validate({"command": ["x"], allowed: [str(folder)]})
            with pytest.raises(InvalidInput, match="lab's own files"):
                (readable if allowed == "reads" else writable)(params, paths)
    runs = ForeignParams(command=["x"], reads=[str(other / "runs" / "abc")])
    assert readable(runs, paths) == [str(other / "runs" / "abc")]
