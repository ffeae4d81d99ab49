"""Commands at once share one lab: one of them starts it, the others find it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from rl_lab.cli import connection
from rl_lab.core.errors import LabBusy


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
