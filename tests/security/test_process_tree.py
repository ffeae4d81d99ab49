"""What a program inherits and what it leaves: no descriptor reaches it, and no process outlives its run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import hopping
from support.guarded import guarded
from support.waiting import DEADLINE_S

from rl_lab.core.commands import Command
from rl_lab.guardian.files import Launch, as_json
from rl_lab.orchestrator.confinement_probe import probe
from rl_lab.orchestrator.foreign.isolation import confinement_of
from rl_lab.settings import Settings
from rl_lab.store.files.attempt_folder import AttemptFolder

IS_LONG = os.environ.get("RL_LAB_CHAOS") == "long"
LIST_OPEN = """
import json, os
def of(pid):
    for number in os.listdir(f"/proc/{pid}/fd"):
        try:
            yield os.readlink(f"/proc/{pid}/fd/{number}")
        except FileNotFoundError:  # the list itself
            pass
print(json.dumps({"program": list(of(os.getpid())), "guardian": list(of(os.getppid()))}))
"""
PARENT = """
import os, socket, sys
from pathlib import Path
from rl_lab.orchestrator.execution.guardians import spawn_guardian
from rl_lab.store.files.attempt_folder import AttemptFolder
key, pair = os.open(sys.argv[2], os.O_RDONLY), socket.socketpair()
for one in (key, *(side.fileno() for side in pair)):
    os.set_inheritable(one, True)
os.waitpid(spawn_guardian(AttemptFolder(Path(sys.argv[1]), 1)), 0)
"""


def test_b5_no_inherited_descriptor_reaches_the_program(tmp_path: Path) -> None:
    """A parent of the lab, such as an editor or `make -j`, left a key file and a socket pair open for its children."""
    key = tmp_path / "id_ed25519"
    key.write_text("key")
    attempt = AttemptFolder(tmp_path / "run", 1)
    attempt.prepare({}, Launch(argv=[sys.executable, "-S", "-c", LIST_OPEN]))
    parent = [sys.executable, "-c", PARENT, str(tmp_path / "run"), str(key)]
    subprocess.run(parent, check=True, timeout=DEADLINE_S, stdin=subprocess.DEVNULL)
    held = json.loads((attempt.journal / "000001.jsonl").read_text())
    assert [target.partition(":")[0] for target in held["program"]] == ["pipe"] * 3
    assert str(key) not in held["guardian"]
    assert not [target for target in held["guardian"] if target.startswith("socket:")]


@pytest.mark.chaos
@pytest.mark.parametrize("new_sessions", [False, True], ids=["one-session", "new-sessions"])
def test_b6_a_program_that_keeps_forking_does_not_outlive_its_run(tmp_path: Path, new_sessions: bool) -> None:
    assert survivals(tmp_path, 500 if IS_LONG else 10, new_sessions=new_sessions) == 0


def survivals(folder: Path, ends: int, *, new_sessions: bool) -> int:
    argv = hopping.hopper(folder, new_sessions=new_sessions)
    count = [sys.executable, hopping.__file__, str(folder), str(ends), *argv]
    done = subprocess.run(
        count, check=True, capture_output=True, text=True, timeout=DEADLINE_S * max(1, ends // 20)
    )
    return int(done.stdout)


def test_a_guardian_whose_folder_was_deleted_ends(tmp_path: Path) -> None:
    """Also when the program has ended and its last words cannot be written any more."""
    with guarded(tmp_path / "run") as attempt:
        code = f"import shutil; shutil.rmtree({str(attempt.folder)!r}); print('last words')"
        attempt.start_python(code)
        assert attempt.process is not None
        assert attempt.process.wait(DEADLINE_S) == 0


LEAVE_MEMORY = """
import sys, time
kept = open(sys.argv[1], "wb")
kept.write(bytes(1 << 16)); kept.flush()
print("made", flush=True)
time.sleep(3600)
"""


@pytest.mark.parametrize("own", [True, False], ids=["own-folder", "shared-folder"])
def test_b14_what_a_run_left_in_shared_memory_is_removed_at_its_end(tmp_path: Path, own: bool) -> None:
    if own and not probe().own_shared_memory:
        pytest.skip("this machine offers no /dev/shm of its own")
    left, neighbours = (Path(f"/dev/shm/rl-lab-{who}-{os.getpid()}") for who in ("left", "neighbour"))
    run_dir = tmp_path / "run"
    with guarded(run_dir) as attempt:
        (run_dir / "files").mkdir()
        argv = [sys.executable, "-u", "-c", LEAVE_MEMORY, str(left)]
        reads = [sys.prefix, sys.base_prefix, str(Path(sys.executable).parent)]
        given = Command(argv=argv, shown=argv, cwd="/", reads=reads, writes=[str(run_dir / "files")])
        order = confinement_of(given, Settings(home=tmp_path / "home"))._replace(own_shared_memory=own)
        attempt.start(argv, confine=as_json(order))
        try:
            attempt.wait_for_text(b"made")
            assert left.exists() is not own
            neighbours.write_text("data")
            attempt.command("kill")
            attempt.exit()
            assert not left.exists()
            assert neighbours.read_text() == "data"
        finally:
            for one in (left, neighbours):
                one.unlink(missing_ok=True)


FILL_MEMORY = """
import time
with open("/dev/shm/rl-lab-full", "wb", buffering=0) as file:
    for part in range(256):
        try:
            file.write(bytes(1 << 20))
        except OSError as error:
            print("ended", part, error.strerror, flush=True)
            break
print("done", flush=True)
time.sleep(3600)
"""


def test_files_in_shared_memory_do_not_evade_the_memory_limit(tmp_path: Path) -> None:
    if not probe().own_shared_memory:
        pytest.skip("this machine offers no /dev/shm of its own")
    run_dir = tmp_path / "run"
    with guarded(run_dir) as attempt:
        (run_dir / "files").mkdir()
        argv = [sys.executable, "-u", "-c", FILL_MEMORY]
        reads = [sys.prefix, sys.base_prefix, str(Path(sys.executable).parent)]
        given = Command(argv=argv, shown=argv, cwd="/", reads=reads, writes=[str(run_dir / "files")])
        order = confinement_of(given, Settings(home=tmp_path / "home"))._replace(resident_bytes=64 << 20)
        attempt.start(argv, confine=as_json(order))
        attempt.wait_for_text(b"done")
        assert b"ended 64 No space left on device" in attempt.journal()
        attempt.command("kill")
        attempt.exit()


MANY_THREADS = """
import threading, time
for _ in range(60): threading.Thread(target=time.sleep, args=(3600,), daemon=True).start()
print("begun", flush=True)
time.sleep(3600)
"""


def test_threads_are_counted_and_too_many_end_the_run(tmp_path: Path) -> None:
    with guarded(tmp_path / "run") as attempt:
        attempt.start_python(MANY_THREADS, confine={"processes": 512, "threads": 50})
        record = attempt.exit()
    assert record["killed_by"] == "limit"
    assert record["error"] == "It had more than 50 threads at once and was killed."
