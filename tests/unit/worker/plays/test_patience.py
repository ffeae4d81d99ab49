"""A play that nobody is connected to: when it pauses, when it ends, and that a visit begins the wait anew."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rl_lab.orchestrator.plays.rules import _patience
from rl_lab.settings import Settings
from rl_lab.worker.plays.play import Patience


class Room:
    """Seats and game of a play, with a clock that is set by hand."""

    def __init__(self, inputs: dict[str, Any]) -> None:
        self.now = 100.0
        self.is_empty = True
        self.rests = 0
        self._patience = Patience(inputs, clock=lambda: self.now)

    def rest(self) -> None:
        self.rests += 1

    def is_over_after(self, seconds: float) -> bool:
        self.now += seconds
        return self._patience.is_over(self, self)  # type: ignore[arg-type]


@pytest.fixture
def room() -> Room:
    return Room({"pause_s": 30.0, "end_s": 600.0})


def test_an_abandoned_play_pauses_first_and_ends_later(room: Room) -> None:
    assert (room.is_over_after(30.0), room.rests) == (False, 0)
    assert (room.is_over_after(0.5), room.rests) == (False, 1)
    assert not room.is_over_after(599.5)
    assert room.is_over_after(0.5)


def test_somebody_who_comes_back_begins_the_wait_anew(room: Room) -> None:
    room.is_over_after(620.0)
    room.is_empty = False
    assert not room.is_over_after(1.0)
    room.is_empty, rests = True, room.rests
    assert (room.is_over_after(29.0), room.rests) == (False, rests)
    assert (room.is_over_after(2.0), room.rests) == (False, rests + 1)


def test_both_times_are_settings_of_the_lab(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RL_LAB_PLAY_PAUSE_S", "2")
    monkeypatch.setenv("RL_LAB_PLAY_END_S", "5")
    room = Room(_patience(SimpleNamespace(settings=Settings())))  # type: ignore[arg-type]
    assert (room.is_over_after(3.0), room.rests) == (False, 1)
    assert room.is_over_after(5.0)
