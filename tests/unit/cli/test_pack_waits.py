"""Commands about packs wait for a lab that reads and writes large files before it answers."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rl_lab.cli.client import SLOW_S, LabClient
from rl_lab.cli.commands.experiments.packs import import_pack, send_pack
from rl_lab.core.errors import NotReady


def make(client: LabClient, file: Path) -> None:
    with client.open_download("GET", "/api/packs"):
        """Never reached."""


STEPS: dict[str, Callable[[LabClient, Path], Any]] = {
    "make": make,
    "send": lambda client, file: send_pack(client, file, quiet=True),
    "import": lambda client, file: import_pack(client, {"id": "x"}, quiet=True),
}


@pytest.mark.parametrize("step", STEPS)
def test_each_step_may_take_minutes(step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    def connect(host: str, port: int, timeout: float) -> Any:
        waits.append(timeout)
        raise ConnectionRefusedError

    monkeypatch.setattr(http.client, "HTTPConnection", connect)
    file = tmp_path / "pack.zip"
    file.touch()
    with pytest.raises(NotReady, match="does not respond"):
        STEPS[step](LabClient("http://127.0.0.1:1", "token"), file)
    assert waits == [SLOW_S]
