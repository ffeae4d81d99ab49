"""The game of a play without its socket: who acts, what waits, and what a wrapped policy does to the episode so far."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import gymnasium
import pytest

from rl_lab.core.jobs.play import PlayConfig
from rl_lab.portable.emitter import Emitter
from rl_lab.portable.frame_protocol import split_frame_message
from rl_lab.portable.recorder import Recorder
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.plays.environment_controls import find_controls
from rl_lab.worker.plays.game import Game
from rl_lab.worker.plays.played_env import Moment, PlayedEnv
from rl_lab.worker.recorded_env import RecordedEnv
from rl_lab.worker.runner import Decision


class Sink(Emitter):
    """Keeps the events instead of writing them."""

    def __init__(self, fd: int) -> None:
        super().__init__(fd)
        self.events: list[Any] = []

    def emit_many(self, batch: Any) -> None:
        self.events += list(batch)


@pytest.fixture
def sink() -> Iterator[Sink]:
    fd = os.open(os.devnull, os.O_WRONLY)
    yield Sink(fd)
    os.close(fd)


def make_game(sink: Sink, env_id: str = "CartPole-v1", **options: Any) -> Game:
    recorder = Recorder(sink, is_training=False)
    env = PlayedEnv(RecordedEnv(make_environment(env_id), recorder), recorder)
    game = Game(
        env,
        PlayConfig(env_id=env_id, seed=3, **options),
        find_controls(env, env_id),
        start=Moment(3),
        cannot_draw=f"{env_id} cannot draw pictures.",
    )
    game.welcome()
    return game


def seen(game: Game) -> dict[str, Any]:
    return split_frame_message(game.frame())[0]


def test_a_persons_game_waits_for_a_key(sink: Sink) -> None:
    game = make_game(sink)
    assert (game.is_running, seen(game)["waiting"]) == (False, "key")
    game.handle({"op": "held", "keys": ["ArrowRight"], "n": 1})
    assert game.is_running
    game.step()
    header = seen(game)
    assert (header["who"], header["action"], header["heard"]) == ("person", 1, 1)
    assert "cannot draw" in header["note"]


def test_a_lost_connection_leaves_no_key_held(sink: Sink) -> None:
    game = make_game(sink, mode="hybrid")
    game.handle({"op": "held", "keys": ["ArrowRight"], "n": 1})
    game.step()
    game.let_go()
    assert (game.is_running, seen(game)["waiting"]) == (False, "key")
    game.handle({"op": "play", "n": 2})
    game.step()
    assert seen(game)["who"] == "agent"


def test_the_next_episode_has_the_next_seed_and_a_restart_the_same(sink: Sink) -> None:
    game = make_game(sink)
    game.handle({"op": "act", "action": 1, "n": 1})
    for op, more, seed in [("restart", {}, 3), ("next", {}, 4), ("next", {"seed": 9}, 9), ("restart", {}, 9)]:
        game.handle({"op": op, "n": 2, **more})
        assert (seen(game)["seed"], seen(game)["step"]) == (seed, 0)
    ended = [event for event in sink.events if event["type"] == "episode"]
    assert [(event["steps"], event["truncated"], event["extra"]) for event in ended] == [
        (1, True, {"player": "person", "taken_over_at": 0, "cut_off": True})
    ]


def test_an_environment_that_waits_steps_once_for_each_press(sink: Sink) -> None:
    game = make_game(sink, "FrozenLake-v1")
    for keys in (["ArrowRight"], ["ArrowRight"], [], ["ArrowRight"], ["ArrowRight", "ArrowUp"]):
        game.handle({"op": "held", "keys": keys, "n": 1})
    assert not game.is_running
    assert seen(game)["step"] == 3


def test_keys_of_other_actions_are_refused(sink: Sink) -> None:
    game = make_game(sink)
    before = game.keys()
    game.handle({"op": "controls", "n": 1, "controls": {"kind": "continuous", "axes": []}})
    assert "not for the actions" in seen(game)["problem"]["message"]
    wrong = {"kind": "discrete", "keys": [{"keys": ["KeyX"], "action": 5}]}
    game.handle({"op": "controls", "n": 2, "controls": wrong})
    assert game.keys() == before
    mine = {"kind": "discrete", "keys": [{"keys": ["KeyX"], "action": 1}], "rest": 0}
    game.handle({"op": "controls", "n": 3, "controls": mine})
    assert seen(game)["problem"] is None
    assert game.keys() != before


class Skipping(gymnasium.Wrapper):  # type: ignore[misc]
    """Plays each action twice, as a policy of Atari skips frames."""

    def step(self, action: Any) -> Any:
        self.env.step(action)
        return self.env.step(action)


class Wrapped:
    """A policy that knows the environment through a wrapper of its own."""

    def wrap(self, env: Any) -> Any:
        return Skipping(env)

    def act(self, observation: Any, deterministic: bool) -> Decision:
        return Decision(action=0)


def test_a_policy_with_wrappers_continues_the_episode_that_a_person_began(sink: Sink) -> None:
    game = make_game(sink)
    for action in (1, 1):
        game.handle({"op": "act", "action": action, "n": 1})
    before = seen(game)
    game._use(Wrapped())
    assert seen(game)["observation"] == before["observation"]
    game.handle({"op": "act", "action": 0, "n": 2})
    header = seen(game)
    assert (header["step"], header["return"], game.step_s) == (4, 4.0, 2 / 50)
    game.handle({"op": "end", "n": 3})
    assert (game.is_over, game.finish().steps) == (True, 4)
