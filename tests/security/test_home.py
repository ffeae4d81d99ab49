"""The lab's own folder: who can read and change it, which token is used, whose processes are listed."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.server import command, serve

from rl_lab.core.errors import NotReady
from rl_lab.orchestrator.machine.run_processes import RunProcesses
from rl_lab.orchestrator.private_files import close_home
from rl_lab.orchestrator.token_file import read_or_make_token, read_token

TOKEN = "T" * 43
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def open_to_others(home: Path) -> list[str]:
    """Everything below the home that others, or the group, may use."""
    return [str(path.relative_to(home)) for path in (home, *home.rglob("*")) if mode_of(path) & OTHERS]


@pytest.fixture
def old_home(tmp_path: Path) -> Path:
    """As an earlier version, or the user's mask, may have left it."""
    home = tmp_path / "home"
    (home / "runs" / "old").mkdir(parents=True)
    for name in ("lab.db", "lab.db-wal", "server.json"):
        (home / name).write_text("")
    for path in (home, home / "runs", home / "runs" / "old"):
        path.chmod(0o775)
    for path in home.glob("*.*"):
        path.chmod(0o664)
    return home


def test_b15_everything_of_a_lab_is_for_its_user_only(tmp_path: Path) -> None:
    """In a home that was made beforehand; a program keeps the user's own mask for the user's own files."""
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir(mode=0o755)
    work.mkdir()
    script = work / "script.py"
    script.write_text("open('mine.txt', 'w').close()\n")
    before = os.umask(0o022)
    try:
        with serve(home, RL_LAB_ALLOW_ROOT="1") as lab:
            run = lab.create(start=True, total_timesteps=500)
            lab.wait(run["id"], "succeeded")
            options = ("--yes", "--workdir", str(work))
            done = command(home, "run", *options, "--", sys.executable, str(script), RL_LAB_ALLOW_ROOT="1")
            assert done.returncode == 0, done.stderr
            assert (home / "lab.db-wal").exists()
            own = [name for name in open_to_others(home) if "/files" not in name and "/scratch" not in name]
            assert own == []
    finally:
        os.umask(before)
    assert mode_of(work / "mine.txt") == 0o644


def test_b15_a_lab_for_commands_is_private_too(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o755)
    assert command(home, "runs").returncode == 0
    assert (home / "command-lab.log").exists() and open_to_others(home) == []


def test_b15_an_older_home_is_closed_at_the_start(old_home: Path) -> None:
    outside = old_home.parent / "outside.txt"
    outside.write_text("")
    outside.chmod(0o644)
    (old_home / "link").symlink_to(outside)
    os.link(outside, old_home / "second-name")
    close_home(old_home)
    assert mode_of(outside) == 0o644  # neither through a link nor through a second name
    assert set(open_to_others(old_home)) == {"link", "second-name"}


def test_b15_folders_that_let_the_group_of_a_program_through_stay(tmp_path: Path) -> None:
    """In a lab of root, a running program needs them after a restart of the lab."""
    (tmp_path / "runs").mkdir()
    for path in (tmp_path, tmp_path / "runs"):
        path.chmod(0o710)
    close_home(tmp_path)
    assert [mode_of(path) for path in (tmp_path, tmp_path / "runs")] == [0o710, 0o710]


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a token, both of another user than the one the lab believes to be."""
    write(TOKEN)(tmp_path / "token")
    if os.geteuid() == 0:
        for path in (tmp_path, tmp_path / "token"):
            os.chown(path, 65534, -1)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: 65534)
    return tmp_path


def test_b16_a_home_of_another_user_is_refused(stranger: Path) -> None:
    with pytest.raises(NotReady, match="belongs to another user"):
        close_home(stranger)


def test_b16_a_token_of_another_user_is_refused(stranger: Path) -> None:
    with pytest.raises(NotReady, match="belongs to another user"):
        read_token(stranger)


def link(path: Path) -> None:
    real = path.with_name("real")
    real.write_text(TOKEN)
    real.chmod(0o600)
    path.symlink_to(real)


def write(text: str, mode: int = 0o600) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.write_text(text)
        path.chmod(mode)

    return make


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (write("short"), "at least 32"),
        (write(TOKEN + "ü"), "at least 32"),
        (write(TOKEN + "\nSet-Cookie: x"), "at least 32"),
        (write(TOKEN, 0o640), "chmod 600"),
        (write(TOKEN, 0o604), "chmod 600"),
        (link, "cannot be opened"),
        (os.mkfifo, "is not a regular file"),
        (Path.mkdir, "is not a regular file"),
    ],
)
def test_b16_a_token_that_may_be_known_to_others_is_refused(
    tmp_path: Path, make: Callable[[Path], None], why: str
) -> None:
    make(tmp_path / "token")
    with pytest.raises(NotReady) as refused:
        read_or_make_token(tmp_path)
    assert why in f"{refused.value} {refused.value.next_step}"
    assert f"rm {tmp_path / 'token'}" in (refused.value.next_step or "")


def test_b16_a_good_token_stays_and_an_empty_one_is_replaced(tmp_path: Path) -> None:
    write("")(tmp_path / "token")
    token = read_or_make_token(tmp_path)
    assert len(token) == 43 and mode_of(tmp_path / "token") == 0o600
    assert read_or_make_token(tmp_path) == token


def test_b16_the_lab_does_not_start_with_such_a_token(tmp_path: Path) -> None:
    write(TOKEN, 0o644)(tmp_path / "token")
    done = command(tmp_path, "serve", "--port", "0", "--no-browser")
    assert (
        done.returncode == 1 and "Other users may read or change" in done.stderr and "Next: " in done.stderr
    )


@pytest.mark.parametrize(
    "words", [["-m", "rl_lab.guardian", "OTHER"], ["-m", "somebody.else", "OWN"], ["OWN"]]
)
def test_b17_only_processes_of_this_lab_are_listed(tmp_path: Path, words: list[str]) -> None:
    """A lab of root sees every process; a guardian of another home, or a process that names our run, is not ours."""
    own, other = (str(tmp_path / home / "runs" / "run" / "attempts" / "1") for home in ("own", "other"))
    named = [{"OWN": own, "OTHER": other}.get(word, word) for word in words]
    endless = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    live: Any = SimpleNamespace(run_id="run", guardian_pid=None, attempt=SimpleNamespace(path=own))
    with subprocess.Popen([*endless, *named], stdin=subprocess.PIPE) as process:
        try:
            live_with_pid: Any = SimpleNamespace(**{**vars(live), "guardian_pid": process.pid})
            assert RunProcesses(lambda: [live]).read() == []
            assert RunProcesses(lambda: [live_with_pid]).read() == []
        finally:
            process.kill()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can start a process of another user")
def test_b17_a_process_of_another_user_is_not_listed(tmp_path: Path) -> None:
    path = str(tmp_path / "runs" / "run" / "attempts" / "1")
    forged = ["/bin/sh", "-c", "read line", "-m", "rl_lab.guardian", path]
    live: Any = SimpleNamespace(run_id="run", guardian_pid=None, attempt=SimpleNamespace(path=path))
    with subprocess.Popen(forged, stdin=subprocess.PIPE, user=65534, cwd="/") as process:
        try:
            assert RunProcesses(lambda: [live]).read() == []
        finally:
            process.kill()
