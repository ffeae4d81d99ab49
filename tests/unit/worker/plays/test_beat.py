"""When the steps of a play come: in an even beat, which a key may bring forward a little."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rl_lab.worker.plays import play

STEP_S = 1.0


class Clock:
    """Time passes only while the play waits for messages."""

    def __init__(self, keys_at: list[float]) -> None:
        self.now = 0.0
        self._keys_at = keys_at
        self.player_left = self.player_came = self.is_empty = False

    def monotonic(self) -> float:
        return self.now

    def wait(self, seconds: float) -> list[dict[str, Any]]:
        until = self.now + max(0.0, seconds)
        if self._keys_at and self._keys_at[0] <= until:
            self.now = max(self.now, self._keys_at.pop(0))
            return [{"op": "held", "keys": ["ArrowLeft"]}]
        self.now = until
        return []

    def show(self, frame: bytes) -> None: ...


class Beaten:
    """A game that notes when it was stepped."""

    is_running, step_s = True, STEP_S
    tally = SimpleNamespace(steps=0)

    def __init__(self, clock: Clock, count: int) -> None:
        self._clock, self._count = clock, count
        self.stepped: list[float] = []

    @property
    def is_over(self) -> bool:
        return len(self.stepped) >= self._count

    def handle(self, message: dict[str, Any]) -> bool:
        return False

    def tick(self, now: float) -> bool:
        return False

    def step(self) -> bool:
        self.stepped.append(self._clock.now)
        return True

    def frame(self, *, is_drawn: bool = True) -> bytes:
        return b""


def steps_of(monkeypatch: pytest.MonkeyPatch, keys_at: list[float], count: int = 4) -> list[float]:
    clock = Clock(keys_at)
    game = Beaten(clock, count)
    session: Any = SimpleNamespace(
        should_stop=lambda: False,
        progress=lambda steps: None,
        job=SimpleNamespace(inputs={"pause_s": 30.0, "end_s": 600.0}),
    )
    monkeypatch.setattr(play, "time", clock)
    play._loop(session, game, clock)  # type: ignore[arg-type]
    return game.stepped


def test_steps_come_in_an_even_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    assert steps_of(monkeypatch, []) == pytest.approx([0.0, 1.0, 2.0, 3.0])


def test_a_late_key_is_played_at_once_and_the_beat_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    assert steps_of(monkeypatch, [0.9]) == pytest.approx([0.0, 0.9, 2.0, 3.0])


def test_an_early_key_brings_its_step_forward_by_a_part_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert steps_of(monkeypatch, [0.1]) == pytest.approx([0.0, 1.0 - play.EARLY, 2.0, 3.0])


def test_many_keys_make_no_more_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    stepped = steps_of(monkeypatch, [n / 10 for n in range(1, 60)], count=6)
    assert stepped == pytest.approx([0.0, *(n - play.EARLY for n in range(1, 6))], abs=0.1)
