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


class Composed(gymnasium.Env):  # type: ignore[misc]
    """Takes actions of any space, and fails to draw."""

    metadata = {"render_modes": ["rgb_array"]}  # noqa: RUF012  # as Gymnasium has it
    observation_space = gymnasium.spaces.Box(-1, 1, (2,))

    def __init__(self, space: Any) -> None:
        self.action_space = space
        self.seen: list[Any] = []

    def reset(self, **_: Any) -> Any:
        return self.observation_space.low, {}

    def step(self, action: Any) -> Any:
        self.seen.append(action)
        return self.observation_space.high, 1.0, False, False, {}

    def render(self) -> Any:
        raise RuntimeError("no display")


def compose(sink: Sink, space: Any, **options: Any) -> tuple[Game, Composed]:
    recorder, bare = Recorder(sink, is_training=False), Composed(space)
    env = PlayedEnv(RecordedEnv(bare, recorder), recorder)
    config = PlayConfig(env_id="Composed-v0", seed=3, **options)
    game = Game(env, config, find_controls(env, "Composed-v0"), start=Moment(3))
    game.welcome()
    return game, bare


def test_bits_are_played_by_keys(sink: Sink) -> None:
    game, env = compose(sink, gymnasium.spaces.MultiBinary(3))
    game.handle({"op": "held", "keys": ["Digit1", "Digit3"], "n": 1})
    assert game.is_running
    game.step()
    header = seen(game)
    assert (header["who"], header["action"], env.seen[-1].tolist()) == ("person", [1, 0, 1], [1, 0, 1])


def test_an_action_without_a_key_is_typed(sink: Sink) -> None:
    game, env = compose(sink, gymnasium.spaces.Discrete(500))
    game.handle({"op": "act", "action": 432, "n": 1})
    header = seen(game)
    assert (int(env.seen[-1]), header["playing"], game.is_running) == (432, True, False)
    game.handle({"op": "act", "action": 500, "n": 2})
    assert "0 to 499" in seen(game)["problem"]["message"]


def test_composed_actions_are_left_to_a_policy(sink: Sink) -> None:
    space = gymnasium.spaces.Dict({"a": gymnasium.spaces.Discrete(2)})
    game, _ = compose(sink, space)
    game.handle({"op": "step", "n": 1})
    assert "mode agent" in seen(game)["problem"]["next_step"]
    game.handle({"op": "mode", "mode": "agent", "n": 2})
    game.handle({"op": "step", "n": 3})
    assert (seen(game)["step"], seen(game)["who"]) == (1, "agent")


def test_an_environment_that_fails_to_draw_is_played_by_its_numbers(sink: Sink) -> None:
    game, _ = compose(sink, gymnasium.spaces.MultiBinary(2))
    header = seen(game)
    assert "could not be drawn (RuntimeError: no display)" in header["note"]
    assert header["observation"] == [-1, -1]


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
