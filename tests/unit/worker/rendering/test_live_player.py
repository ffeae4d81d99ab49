"""The live feed's player: follows the newest episode of a run, and loops the best one of an ended run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from rl_lab.core.recordings import Recording
from rl_lab.portable.frame_protocol import split_frame_message
from rl_lab.worker.rendering import live_player
from rl_lab.worker.rendering.live_player import END_PAUSE_S, LOOP_PAUSE_S, LivePlayer


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now

    def time(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(live_player, "time", clock)
    return clock


@pytest.fixture
def player(clock: Clock) -> Iterator[LivePlayer]:
    player = LivePlayer({"fps": 50})  # CartPole's own rate: one step per frame
    yield player
    player.close()


def recording(episode: int, steps: int = 4) -> dict[str, Any]:
    made = Recording(
        run_id="run",
        episode=episode,
        env_id="CartPole-v1",
        seed=episode,
        count=steps,
        action={"kind": "discrete", "dtype": "u1", "start": 0, "n": 2},
        actions=bytes(i % 2 for i in range(steps)),
    )
    plain: dict[str, Any] = msgspec.to_builtins(made, builtin_types=(bytes,))
    return plain


def headers(player: LivePlayer, ticks: int) -> list[dict[str, Any]]:
    drawn = [player.tick() for _ in range(ticks)]
    return [split_frame_message(message)[0] for message in drawn if message]


def test_an_episode_that_loops_begins_again_after_a_pause(player: LivePlayer, clock: Clock) -> None:
    player.handle({"op": "episode", "recording": recording(7), "loops": True})
    once = headers(player, 10)
    assert [h["step"] for h in once] == [0, 1, 2, 3, 4]
    assert {h["source"] for h in once} == {"best"}
    clock.now += LOOP_PAUSE_S
    assert [h["step"] for h in headers(player, 2)] == [0, 1]


def test_a_newest_episode_is_played_once(player: LivePlayer, clock: Clock) -> None:
    player.handle({"op": "episode", "recording": recording(7), "loops": False})
    assert {h["source"] for h in headers(player, 10)} == {"live"}
    clock.now += 10 * LOOP_PAUSE_S
    assert headers(player, 5) == []


def test_the_best_episode_replaces_a_running_one_at_once(player: LivePlayer, clock: Clock) -> None:
    player.handle({"op": "episode", "recording": recording(7), "loops": False})
    headers(player, 2)
    player.handle({"op": "episode", "recording": recording(3), "loops": True})
    [shown] = headers(player, 1)
    assert (shown["episode"], shown["step"], shown["source"]) == (3, 0, "best")


def test_a_resumed_run_takes_the_feed_back(player: LivePlayer, clock: Clock) -> None:
    player.handle({"op": "episode", "recording": recording(3), "loops": True})
    headers(player, 10)
    player.handle({"op": "episode", "recording": recording(8), "loops": False})
    headers(player, 1)
    clock.now += END_PAUSE_S
    assert [(h["episode"], h["source"]) for h in headers(player, 1)] == [(8, "live")]


def test_restart_begins_a_loop_again_and_leaves_a_live_episode_alone(
    player: LivePlayer, clock: Clock
) -> None:
    player.handle({"op": "restart"})  # before anything is shown
    player.handle({"op": "episode", "recording": recording(7), "loops": False})
    headers(player, 2)
    player.handle({"op": "restart"})
    assert [h["step"] for h in headers(player, 1)] == [2]
    player.handle({"op": "episode", "recording": recording(3), "loops": True})
    headers(player, 3)
    player.handle({"op": "restart"})
    assert [h["step"] for h in headers(player, 1)] == [0]


def test_an_environment_that_cannot_be_loaded_ahead_does_not_end_the_player() -> None:
    player = LivePlayer({"fps": 50, "env_id": "Missing-v0", "env_kwargs": {}})
    player.handle({"op": "episode", "recording": recording(7), "loops": False})
    assert headers(player, 1)
    player.close()
