"""Commands at once share one lab: one of them starts it, the others find it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from typing import Any

import pytest

from rl_lab.cli import connection
from rl_lab.core.errors import LabBusy
from rl_lab.orchestrator.home import HomeLock, write_server


def test_a_command_waits_for_a_lab_that_is_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # What a killed lab has left: it would mean that the holder of the lock has an address.
    (tmp_path / "server.json").write_text('{"url": "http://127.0.0.1:1", "pid": 1, "for_commands": false}')
    lock, clock, looks = HomeLock(tmp_path), [0.0], []

    def wait(seconds: float) -> None:
        clock[0] += 100 * seconds

    def look(_home: Path) -> str | None:
        looks.append(1)
        return "lab" if len(looks) > limit else None

    monkeypatch.setattr(connection, "time", SimpleNamespace(monotonic=lambda: clock[0], sleep=wait))
    monkeypatch.setattr(connection, "find_lab", look)
    monkeypatch.setattr(connection, "_launch_lab", lambda _home: pytest.fail("there is a lab already"))
    lock.take()
    limit = 4
    assert connection._start_lab(tmp_path) == "lab"  # type: ignore[comparison-overlap]
    assert capsys.readouterr().err == f"Waiting for the lab in {tmp_path} to answer; it is starting …\n"
    limit = 1_000
    with pytest.raises(LabBusy, match=r"is starting in .* and does not answer yet"):
        connection._start_lab(tmp_path)
    # It has an address, but hangs: that is waited for, too, but not as long.
    write_server(tmp_path, "http://127.0.0.1:1")
    before, clock[0] = len(looks), 0.0
    with pytest.raises(LabBusy, match=r"Another lab .* is using"):
        connection._start_lab(tmp_path)
    assert len(looks) - before < 4
    lock.release()


def test_one_of_many_commands_starts_the_lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    together, begun, running = Barrier(4), [], []

    def launch(_home: Path) -> None:
        begun.append(1)
        if len(begun) == 1:
            raise LabBusy("Another lab is about to end.", next_step="Wait.")
        running.append("lab")

    def start(_: int) -> Any:
        together.wait()
        return connection._start_lab(tmp_path)

    monkeypatch.setattr(connection, "_launch_lab", launch)
    monkeypatch.setattr(connection, "find_lab", lambda _home: running[0] if running else None)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(start, range(4))) == ["lab"] * 4
    assert len(begun) == 2, "busy once, then started, by one command"
