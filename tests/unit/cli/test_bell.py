from __future__ import annotations

import io
import sys

import pytest

from rl_lab.cli.bell import ring
from rl_lab.cli.terminal import BELL


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stderr", "wanted", "printed"),
    [
        (Terminal(), None, BELL),
        (Terminal(), False, ""),
        (io.StringIO(), None, ""),
        (io.StringIO(), True, BELL),
    ],
)
def test_the_bell_rings_on_a_terminal_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch, stderr: io.StringIO, wanted: bool | None, printed: str
) -> None:
    monkeypatch.setattr(sys, "stderr", stderr)
    ring(wanted)
    assert stderr.getvalue() == printed
