"""The guardian with real processes: what it copies, what it forwards, how it ends a tree, what it records."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.guarded import Guarded, guarded
from support.waiting import DEADLINE_S, wait_until

from rl_lab.guardian.processes import find_survivors, kill_survivors


@pytest.fixture
def attempt(tmp_path: Path) -> Iterator[Guarded]:
    with guarded(tmp_path / "run") as running:
        yield running


DEAF_TREE = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
def away(double):
    if os.fork():
        return
    os.setsid()
    if double and os.fork():
        os._exit(0)
    time.sleep(600)
away(False); away(True)
print('{"type":"status","state":"hello"}')
time.sleep(600)
"""
"""Ignores SIGTERM, forks, leaves the session, forks twice; all of them hold the pipes open."""


def test_output_reaches_journal_and_log_and_a_half_line_is_terminated(attempt: Guarded) -> None:
    attempt.start(["/bin/sh", "-c", "echo one; echo trouble >&2; printf half"])
    record = attempt.exit()
    assert attempt.journal() == b"one\nhalf\n"
    assert attempt.log() == "trouble\n"
    assert (record["exit_code"], record["signal"], record["error"]) == (0, None, None)
    assert record["journal_bytes"] == 9
    assert record["max_rss_bytes"] > 0
    assert record["started_at"] <= record["ended_at"]


def test_exit_code_and_signal_are_recorded(tmp_path: Path) -> None:
    with guarded(tmp_path / "a") as a, guarded(tmp_path / "b") as b:
        a.start(["/bin/sh", "-c", "exit 3"])
        b.start(["/bin/sh", "-c", "kill -SEGV $$"])
        assert a.exit()["exit_code"] == 3
        record = b.exit()
    assert (record["exit_code"], record["signal"], record["killed_by"]) == (None, signal.SIGSEGV, None)


def test_a_command_that_cannot_be_executed_is_told(attempt: Guarded) -> None:
    attempt.start(["/no/such/program"])
    record = attempt.exit()
    assert record["exit_code"] is None
    assert record["signal"] is None
    assert "/no/such/program" in record["error"]


def test_a_broken_launch_file_is_told(attempt: Guarded) -> None:
    attempt.start(["/bin/true"])
    attempt.exit()
    (attempt.folder / "exit.json").unlink()
    (attempt.folder / "launch.json").write_text("{")
    subprocess.run(
        [sys.executable, "-m", "rl_lab.guardian", str(attempt.folder)], timeout=DEADLINE_S, check=True
    )
    assert json.loads((attempt.folder / "exit.json").read_bytes())["error"]


def test_over_long_lines_are_replaced_by_a_warning(attempt: Guarded) -> None:
    code = "print('a' * 5000); print('b'); print('c' * 900); print('d' * 3000, end='')"
    attempt.start_python(code, limits={"line_bytes": 1024})
    record = attempt.exit()
    first, second, third, fourth = attempt.journal().splitlines()
    assert json.loads(first)["code"] == json.loads(fourth)["code"] == "line-too-long"
    assert "5,000" in json.loads(first)["message"]
    assert (second, third) == (b"b", b"c" * 900)
    assert record["dropped_lines"] == 2


def test_segments_end_at_line_ends_and_lose_nothing(attempt: Guarded) -> None:
    attempt.start_python(
        "for i in range(20000): print('line', i)",
        limits={"journal_segment_bytes": 20_000, "line_bytes": 4096},
    )
    attempt.exit()
    segments = sorted((attempt.folder / "journal").iterdir())
    assert len(segments) > 5
    assert all(path.read_bytes().endswith(b"\n") for path in segments)
    assert max(path.stat().st_size for path in segments) <= 20_000
    assert attempt.journal() == b"".join(b"line %d\n" % i for i in range(20000))


def test_the_log_of_a_live_worker_stays_below_its_limit_and_keeps_the_end(attempt: Guarded) -> None:
    code = (
        "import sys\n"
        "for i in range(30000): sys.stderr.write(f'line {i:06}\\n')\n"
        "sys.stderr.flush(); print('printed', flush=True); sys.stdin.readline()"
    )
    attempt.start_python(code, limits={"log_bytes": 20_000})
    files = [attempt.folder / name for name in ("log.1.txt", "log.txt")]
    attempt.wait_for_text(b"printed")
    wait_until(lambda: b"line 029999\n" in _end_of_log(files[1]), "the last line")
    kept = [path.read_bytes() for path in files]
    assert all(0 < len(text) <= 20_000 and text.startswith(b"line ") for text in kept)
    lines = b"".join(kept).splitlines()
    assert len(lines) > 20_000 // len("line 000000\n")
    assert lines == [b"line %06d" % i for i in range(30_000 - len(lines), 30_000)]
    attempt.command("checkpoint")
    assert attempt.exit()["exit_code"] == 0


def _end_of_log(file: Path) -> bytes:
    """Empty in the moment in which the guardian begins the next file."""
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return b""


def test_a_worker_that_closes_stdout_early_is_still_guarded(attempt: Guarded) -> None:
    attempt.start_python("import os, sys; print('bye'); os.close(1); sys.stdin.readline(); sys.exit(7)")
    attempt.wait_for_text(b"bye")
    attempt.command("checkpoint")
    assert attempt.exit()["exit_code"] == 7


def test_commands_reach_the_worker_in_order_and_garbage_does_not(attempt: Guarded) -> None:
    attempt.start_python("print('ready'); [print(input()) for _ in range(3)]")
    attempt.wait_for_text(b"ready")
    fd = os.open(attempt.folder / "control", os.O_WRONLY)
    os.write(fd, b'garbage\n[]\n{"cmd":"pause"}\n{"cmd":"res')
    os.write(fd, b'ume"}\n{"cmd":"watch"}\n')
    os.close(fd)
    assert attempt.exit()["stopped"] is False
    assert attempt.journal() == b'ready\n{"cmd":"pause"}\n{"cmd":"resume"}\n{"cmd":"watch"}\n'


def test_a_polite_stop_is_forwarded_and_not_a_kill(attempt: Guarded) -> None:
    attempt.start_python("print('ready'); input()")
    attempt.wait_for_text(b"ready")
    attempt.command("stop")
    record = attempt.exit()
    assert (record["exit_code"], record["stopped"], record["killed_by"]) == (0, True, None)


def test_the_ladder_ends_a_deaf_tree_with_nobody_left(attempt: Guarded) -> None:
    attempt.start_python(DEAF_TREE, stop_grace_s=0.2, kill_grace_s=0.2)
    attempt.wait_for_event("status", state="hello")
    wait_until(lambda: len(find_survivors(attempt.run_id, 1)) >= 3, "the whole tree")
    attempt.command("stop")
    record = attempt.exit()
    assert (record["signal"], record["stopped"], record["killed_by"]) == (signal.SIGKILL, True, "ladder")
    assert record["oom"] is False


def test_sigterm_comes_before_sigkill(attempt: Guarded) -> None:
    code = (
        "import signal, sys, time\nsignal.signal(15, lambda *_: sys.exit(5))\nprint('ready')\ntime.sleep(600)"
    )
    attempt.start_python(code, stop_grace_s=0.1, kill_grace_s=60)
    attempt.wait_for_text(b"ready")
    attempt.command("stop")
    record = attempt.exit()
    assert (record["exit_code"], record["stopped"], record["killed_by"]) == (5, True, None)


def test_kill_ends_the_tree_at_once(attempt: Guarded) -> None:
    attempt.start_python(DEAF_TREE)
    attempt.wait_for_event("status", state="hello")
    attempt.command("kill")
    record = attempt.exit()
    assert (record["signal"], record["killed_by"], record["stopped"]) == (signal.SIGKILL, "kill", False)


def test_sigterm_to_the_guardian_is_a_polite_stop(attempt: Guarded) -> None:
    attempt.start_python("print('ready'); print(input())")
    attempt.wait_for_text(b"ready")
    assert attempt.process is not None
    attempt.process.terminate()
    assert attempt.exit()["stopped"] is True
    assert attempt.journal().endswith(b'{"cmd":"stop"}\n')


def test_children_that_hold_the_pipe_do_not_delay_the_end(attempt: Guarded) -> None:
    attempt.start_python("import subprocess; subprocess.Popen(['sleep', '600'], start_new_session=True)")
    assert attempt.exit()["exit_code"] == 0


def test_a_killed_guardian_takes_its_worker_along_and_the_rest_is_found(attempt: Guarded) -> None:
    attempt.start_python(DEAF_TREE.replace("print(", "print(os.getpid()); print("))
    attempt.wait_for_event("status", state="hello")
    worker = int(attempt.journal().split()[0])
    assert attempt.process is not None
    attempt.process.kill()
    attempt.process.wait(DEADLINE_S)
    wait_until(lambda: worker not in find_survivors(attempt.run_id, 1), "the worker's death")
    assert len(find_survivors(attempt.run_id, 1)) == 2
    assert kill_survivors(attempt.run_id, 1) == []
    assert find_survivors(attempt.run_id, 1) == []
    assert not (attempt.folder / "exit.json").exists()


def test_survivors_of_another_attempt_are_left_alone(attempt: Guarded) -> None:
    attempt.start_python("print('ready'); input()")
    attempt.wait_for_text(b"ready")
    assert kill_survivors(attempt.run_id, 2) == []
    assert len(find_survivors(attempt.run_id, 1)) == 1
    attempt.command("stop")
    assert attempt.exit()["exit_code"] == 0


def test_the_lock_is_held_for_as_long_as_the_guardian_lives(attempt: Guarded) -> None:
    attempt.start_python("print('ready'); input()")
    attempt.wait_for_text(b"ready")
    with (attempt.folder / "lock").open("rb") as lock:
        with pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        second = subprocess.run(
            [sys.executable, "-m", "rl_lab.guardian", str(attempt.folder)], timeout=DEADLINE_S, check=False
        )
        assert second.returncode == 75
        attempt.command("stop")
        attempt.exit()
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_deleted_run_folder_ends_the_worker(attempt: Guarded) -> None:
    attempt.start_python("import time; print('ready'); time.sleep(600)")
    attempt.wait_for_text(b"ready")
    shutil.rmtree(attempt.folder)
    assert attempt.process is not None
    assert attempt.process.wait(DEADLINE_S) == 0
    assert find_survivors(attempt.run_id, 1) == []


def test_a_flood_arrives_whole(attempt: Guarded) -> None:
    code = "import sys\nfor _ in range(300): sys.stdout.buffer.write((b'x' * 99 + b'\\n') * 1000)"
    attempt.start_python(code)
    record = attempt.exit()
    assert record["journal_bytes"] == 300_000 * 100
    assert attempt.journal().count(b"\n") == 300_000


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    disk = tmp_path / "disk"
    disk.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if done.returncode != 0:
        pytest.skip("mounting a small tmpfs needs root")
    yield disk
    subprocess.run(["umount", "-l", str(disk)], check=True)


def test_a_full_disk_holds_the_worker_back_and_loses_nothing(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 600_000)
    with guarded(small_disk / "run") as attempt:
        attempt.start_python("for i in range(6000): print('%099d' % i)")
        wait_until(lambda: shutil.disk_usage(small_disk).free == 0, "a full disk")
        assert attempt.process is not None
        with pytest.raises(subprocess.TimeoutExpired):
            attempt.process.wait(0.3)
        ballast.unlink()
        record = attempt.exit()
        assert record["exit_code"] == 0
        assert attempt.journal() == b"".join(b"%099d\n" % i for i in range(6000))


def test_a_kill_is_recorded_even_on_a_full_disk(small_disk: Path) -> None:
    with guarded(small_disk / "run") as attempt:
        attempt.start_python("while True: print('%099d' % 1)")
        # A line that was cut shows that the guardian has more to write; a disk may also be full to the last line.
        wait_until(lambda: not attempt.journal().endswith(b"\n") and is_full(small_disk), "a full disk")
        attempt.command("kill")
        record = attempt.exit()
    assert record["killed_by"] == "kill"
    assert "disk was full" in record["error"]


def test_the_guardian_loads_the_standard_library_only() -> None:
    """So that it starts in milliseconds and stays small beside every worker."""
    code = (
        "import sys, rl_lab.guardian; print(*sorted({m.partition('.')[0] for m in sys.modules} "
        "- set(sys.stdlib_module_names)), 'pathlib' in sys.modules, 'threading' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, timeout=DEADLINE_S, check=True
    )
    *foreign, pathlib, threading = done.stdout.split()
    assert {
        name for name in foreign if name in ("pydantic", "msgspec", "numpy", "torch", "gymnasium")
    } == set()
    assert (pathlib, threading) == ("False", "False")


def is_full(disk: Path) -> bool:
    return shutil.disk_usage(disk).free == 0
