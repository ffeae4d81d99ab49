"""A lab that runs as root: foreign programs run as an unprivileged user without capabilities, or do not run."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab, wait_for
from support.server import command

from rl_lab.core.commands import Command, CommandPreview
from rl_lab.core.errors import NotReady
from rl_lab.core.runs import Run
from rl_lab.orchestrator.foreign.script_user import (
    ScriptUser,
    hand_over,
    require_reach,
    script_user,
    share_folders,
)
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.runners.foreign import RunPaths
from rl_lab.settings import Settings

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can change the user")

SYSTEM_PYTHON = "/usr/bin/python3"
SPY = """#!/bin/sh
cat /proc/self/status > status.txt
cat ../../../token > token.txt 2> refused.txt
touch ../telemetry.db 2>> refused.txt
exit 0
"""
CAPTURED = """
import multiprocessing.shared_memory as m, os
memory = m.SharedMemory(create=True, size=4096)
memory.close(); memory.unlink()
open("user.txt", "w").write(f"{os.getuid()} {os.getgid()} {os.getgroups()}")
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can enter; pytest's own are closed to all but root."""
    folder = Path(tempfile.mkdtemp(prefix="rl-lab-root-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def spy(folder: Path) -> NewRun:
    path = folder / "spy"
    path.write_text(SPY)
    path.chmod(0o755)
    return NewRun(runner="program", algorithm="protocol", params={"command": [str(path)]}, start=True)


def run_in_lab(home: Path, new: NewRun, *, allow_root: bool) -> tuple[CommandPreview, Run]:
    """Previewed, approved and run to its end in a lab of its own."""

    async def story() -> tuple[CommandPreview, Run]:
        async with open_lab(home, allow_root=allow_root) as lab:
            preview = await lab.runs.preview_command(new)
            created = await lab.runs.create(new.model_copy(update={"consent": preview.sha256}))
            return preview, await wait_for(lab, created.id)

    furnish(home)
    return asyncio.run(story())


def status_of(home: Path, run: Run) -> dict[str, str]:
    """The lines of /proc/self/status, as the program saw them."""
    text = (home / "runs" / run.id / "files" / "status.txt").read_text()
    return {
        name: " ".join(value.split())
        for name, _, value in (line.partition(":") for line in text.splitlines())
    }


def assert_no_capability(status: dict[str, str]) -> None:
    sets = {name: value for name, value in status.items() if name.startswith("Cap")}
    assert len(sets) == 5
    assert {int(value, 16) for value in sets.values()} == {0}, sets
    assert status["NoNewPrivs"] == "1"


def test_a_program_of_a_root_lab_runs_as_an_unprivileged_user(open_folder: Path) -> None:
    home = open_folder / "home"
    preview, run = run_in_lab(home, spy(open_folder), allow_root=False)
    user = script_user(Settings(home=home, allow_root=False))
    assert user is not None
    assert preview.runs_as == user.name
    status = status_of(home, run)
    assert status["Uid"] == " ".join([str(user.uid)] * 4)
    assert status["Gid"] == " ".join([str(user.gid)] * 4)
    assert status["Groups"] == ""
    assert_no_capability(status)
    files = home / "runs" / run.id / "files"
    assert (files / "token.txt").read_text() == ""
    assert (files / "refused.txt").read_text().count("denied") == 2
    assert (files / "status.txt").stat().st_uid == user.uid


def test_folders_above_the_run_are_open_to_no_one_else(open_folder: Path) -> None:
    home = open_folder / "home"
    home.mkdir(mode=0o700)
    _, run = run_in_lab(home, spy(open_folder), allow_root=False)
    for folder in (home, home / "runs" / run.id / "attempts" / "1"):
        assert folder.stat().st_mode & 0o067 == 0, folder
    assert (home / "token").stat().st_mode & 0o077 == 0


def test_a_captured_script_of_a_root_lab_runs_as_an_unprivileged_user(open_folder: Path) -> None:
    home = open_folder / "home"
    path = open_folder / "train.py"
    path.write_text(CAPTURED)
    words = [SYSTEM_PYTHON, str(path)]
    new = NewRun(runner="script", algorithm="python", params={"command": words}, start=True)
    try:
        _, run = run_in_lab(home, new, allow_root=False)
    except NotReady as error:
        pytest.skip(f"the lab is installed where only root can read it: {error}")
    assert run.status == "succeeded", run.reason
    user = script_user(Settings(home=home, allow_root=False))
    assert user is not None
    said = (home / "runs" / run.id / "files" / "user.txt").read_text()
    assert said == f"{user.uid} {user.gid} []"


def test_a_dataset_is_opened_to_that_user_only(open_folder: Path) -> None:
    home = open_folder / "home"
    version, other = home / "datasets" / "mine" / "v1", home / "datasets" / "mine" / "v2"
    for folder in (version, other):
        folder.mkdir(parents=True, mode=0o700)
        (folder / "rewards.npy").write_text("1")
        (folder / "rewards.npy").chmod(0o600)
    for folder in (home, home / "datasets", version.parent, version, other):
        folder.chmod(0o700)
    user = script_user(Settings(home=home, allow_root=False))
    assert user is not None
    share_folders(user, Command(argv=["x"], shown=["x"], cwd="/", reads=[str(version), "/usr"]), home)
    file = version / "rewards.npy"
    assert (file.stat().st_mode & 0o777, file.stat().st_gid) == (0o640, user.gid)
    assert {f.stat().st_mode & 0o077 for f in (home, version.parent)} == {0o010}
    assert version.stat().st_mode & 0o077 == 0o050  # modules of an environment are found by listing it
    assert other.stat().st_mode & 0o077 == 0
    assert (other / "rewards.npy").stat().st_mode & 0o077 == 0


def test_a_program_that_user_cannot_reach_is_refused(tmp_path: Path) -> None:
    home = tmp_path / "home"
    furnish(home)

    async def story() -> None:
        async with open_lab(home, allow_root=False) as lab:
            for ask in (lab.runs.preview_command, lab.runs.create):
                with pytest.raises(NotReady) as refused:
                    await ask(spy(tmp_path))
                assert str(tmp_path / "spy") in refused.value.detail
                assert "--allow-root" in (refused.value.next_step or "")

    asyncio.run(story())


def test_the_command_line_can_allow_root(home: Path, tmp_path: Path) -> None:
    spy(tmp_path)
    words = ("--allow-root", "--protocol", "--yes", "--detach", "--", str(tmp_path / "spy"))
    done = command(home, "run", *words, RL_LAB_ALLOW_ROOT="0")
    assert "user       root, without its capabilities" in done.stderr


def test_a_program_that_stays_root_has_no_capability(tmp_path: Path) -> None:
    home = tmp_path / "home"
    preview, run = run_in_lab(home, spy(tmp_path), allow_root=True)
    assert preview.runs_as == "root, without its capabilities"
    status = status_of(home, run)
    assert status["Uid"] == "0 0 0 0"
    assert_no_capability(status)


def test_another_user_can_be_named_and_must_exist(tmp_path: Path) -> None:
    named = script_user(Settings(home=tmp_path, allow_root=False, script_user="daemon"))
    assert named is not None
    assert named.name == "daemon"
    for name in ("root", "no-such-user"):
        with pytest.raises(NotReady, match=name):
            script_user(Settings(home=tmp_path, allow_root=False, script_user=name))


def test_links_in_a_run_are_not_handed_over(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    run_dir = tmp_path / "home" / "runs" / "one"
    for name in ("files", "scratch", "checkpoints"):
        (run_dir / name).mkdir(parents=True)
    (run_dir / "files" / "link").symlink_to(outside)
    os.link(outside, run_dir / "files" / "second-name")
    (run_dir / "files" / "own").write_text("")
    user = ScriptUser("someone", 12345, 12345)
    hand_over(user, RunPaths(tmp_path / "home", run_dir, run_dir / "attempts" / "1" / "job.json"))
    assert outside.stat().st_uid == 0
    assert (run_dir / "files" / "own").stat().st_uid == 12345
    assert run_dir.stat().st_uid == 0


def test_the_reach_of_a_user_is_asked_of_the_kernel(tmp_path: Path, open_folder: Path) -> None:
    def needs(**changes: Any) -> Command:
        return Command(**{"argv": ["/bin/sh"], "shown": [], "cwd": "/", **changes})

    user = script_user(Settings(home=tmp_path, allow_root=False))
    assert user is not None
    home = open_folder / "home"
    paths = RunPaths(home, home / "runs" / "x", home / "job.json")
    require_reach(user, needs(reads=["/usr"]), paths)
    (open_folder / "closed").mkdir(mode=0o700)
    for folder in ("python/bin", "python/lib/python3.11"):  # with what a Python is recognised by
        (open_folder / folder).mkdir(parents=True)
    (open_folder / "python/lib/python3.11/os.py").touch()
    shutil.copy("/bin/sh", open_folder / "python/bin/python3")
    python = str(open_folder / "python/bin/python3")
    for one in (open_folder / "python").rglob("*"):
        one.chmod(0o755)
    (open_folder / "python").chmod(0o755)
    require_reach(user, needs(argv=[python]), paths)
    (open_folder / "python").chmod(0o711)
    with pytest.raises(NotReady, match=f"{open_folder}/python"):
        require_reach(user, needs(argv=[python]), paths)
    for changes in ({"writes": [str(open_folder)]}, {"reads": [str(open_folder / "closed")]}):
        with pytest.raises(NotReady, match=str(open_folder)):
            require_reach(user, needs(**changes), paths)
