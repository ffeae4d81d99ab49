"""The job of a play: an environment that is stepped in real time, with a socket of its own for its player."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rl_lab.core.evaluations import write_result
from rl_lab.core.jobs.play import PlayConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.plays.controls import PlayControls
from rl_lab.portable.actions import unpack
from rl_lab.worker.environments.make import environment_version, make_environment
from rl_lab.worker.jobs.forks import read_recordings, require_repeated
from rl_lab.worker.plays.environment_controls import find_controls, fits
from rl_lab.worker.plays.game import Game
from rl_lab.worker.plays.played_env import Moment, PlayedEnv
from rl_lab.worker.plays.seats import Seats
from rl_lab.worker.plays.socket_file import socket_folder
from rl_lab.worker.recorded_env import RecordedEnv
from rl_lab.worker.rendering.simulation import who_acted
from rl_lab.worker.session import Session

IDLE_S = 0.2
"""How often a play that waits looks for a stop."""
LATE_S = 0.1
"""Steps that are later than this are not made up for."""
EARLY = 0.3
"""The part of a step's time by which a key brings the next step forward; those after it keep their beat."""


def play(session: Session) -> dict[str, Any]:
    config = session.config
    assert isinstance(config, PlayConfig)
    start = _find_start(session, config)
    env, cannot_draw = _make(session, config)
    with contextlib.closing(Seats(socket_folder(session.job))) as seats:
        controls = _choose_controls(env, config)
        game = Game(
            env,
            config,
            controls,
            start=start,
            cannot_draw=cannot_draw,
            announce=seats.announce,
            wake=seats.wake,
        )
        seats.announce(game.keys())
        if session.job.inputs.get("policy"):
            game.load(session.job.inputs["policy"])
        _loop(session, game, seats)
        result = game.finish()
        seats.show(game.frame(is_drawn=False))
    env.close()
    session.progress(game.tally.steps, now=True)
    return write_result(result)


def _choose_controls(env: PlayedEnv, config: PlayConfig) -> PlayControls:
    """The user's, where they fit the environment with its arguments."""
    found, chosen = find_controls(env, config.env_id or ""), config.controls
    if chosen is None or not fits(chosen, env.action_space):
        return found
    return chosen.model_copy(update={"entries": found.entries, "numbers": found.numbers})


def _loop(session: Session, game: Game, seats: Seats) -> None:
    patience = Patience(session.job.inputs)
    due, early_s = time.monotonic(), 0.0
    seats.show(game.frame())
    while not (session.should_stop() or game.is_over or patience.is_over(seats, game)):
        messages = seats.wait(due - early_s - time.monotonic() if game.is_running else IDLE_S)
        changed = seats.player_left or seats.player_came
        if seats.player_left:
            game.let_go()
        if seats.player_came:
            game.welcome()
        seats.player_left = seats.player_came = False
        for message in messages:
            changed = game.handle(message) or changed
        if any(message["op"] == "held" for message in messages):
            early_s = EARLY * game.step_s
        now = time.monotonic()
        changed = game.tick(now) or changed
        if not game.is_running:
            due = now
        elif now >= due - early_s:
            changed = game.step() or changed
            due, early_s = max(due, now - LATE_S) + game.step_s, 0.0
        if changed:
            seats.show(game.frame(is_drawn=not seats.is_empty))
            session.progress(game.tally.steps)


class Patience:
    """A play that nobody is connected to pauses after a while, and ends after a longer one."""

    def __init__(self, inputs: Mapping[str, Any], clock: Callable[[], float] = time.monotonic) -> None:
        self._pause_s = float(inputs["pause_s"])
        self._end_s = float(inputs["end_s"])
        self._clock = clock
        self._alone_since = clock()

    def is_over(self, seats: Seats, game: Game) -> bool:
        now = self._clock()
        if not seats.is_empty:
            self._alone_since = now
        alone = now - self._alone_since
        if alone > self._pause_s:
            game.rest()
        return alone > self._pause_s + self._end_s


def _make(session: Session, config: PlayConfig) -> tuple[PlayedEnv, str]:
    """The environment, and why it cannot be drawn; empty when it can."""
    env_id = config.env_id or ""
    bare = make_environment(env_id, config.env_kwargs)
    cannot_draw = ""
    if "rgb_array" in (bare.metadata.get("render_modes") or ()):
        bare.close()
        bare = make_environment(env_id, config.env_kwargs, render_mode="rgb_array")
    else:
        cannot_draw = f"{env_id} cannot draw pictures: it is played by its numbers."
    announced = TrainConfig(
        runner="none", algorithm="play", env_id=env_id, env_kwargs=config.env_kwargs, seed=config.seed or 0
    )
    session.announce_environment(
        announced, action_space=bare.action_space, env_version=environment_version(env_id)
    )
    return PlayedEnv(RecordedEnv(bare, session.recorder), session.recorder), cannot_draw


def _find_start(session: Session, config: PlayConfig) -> Moment:
    """The moment that was taken over, brought back and checked, or a reset with the seed."""
    if config.start is None:
        return Moment(config.seed or 0)
    recording = read_recordings(Path(session.job.inputs["recordings"]))[0]
    step = config.start.step
    if recording.rewards or recording.checksums:
        require_repeated(recording, step)
    actions = tuple(unpack(recording.action, recording.actions)[:step])
    who = who_acted(recording)[:step]
    by_person = tuple(bool(one) for one in who) or (False,) * len(actions)
    return Moment(recording.seed, recording.generator, actions, by_person)
