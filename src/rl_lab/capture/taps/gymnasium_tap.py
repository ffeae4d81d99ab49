"""Listening to Gymnasium: every environment the script makes in its main process gets a tap.

`install` is called once the script has imported gymnasium. Environments made in child processes stay bare.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from rl_lab.capture.env_origins import find_origin
from rl_lab.capture.env_roles import Stage, TapSession
from rl_lab.capture.gymnasium_029.vector_api import install_if_wanted
from rl_lab.capture.taps.tapped_env import tap_env
from rl_lab.capture.taps.vector_taps import tap_clock, tap_hidden


def install(gymnasium: Any, session: TapSession) -> Stage:
    """Patch the ways to make an environment; returns the stage they enter."""
    install_if_wanted(gymnasium, session)
    stage = Stage(session)
    registration = gymnasium.envs.registration
    make = _making(registration.make, stage)
    registration.make = gymnasium.make = gymnasium.envs.make = make
    if hasattr(registration, "make_vec"):
        made = _making_vectors(registration.make_vec, gymnasium, stage)
        registration.make_vec = gymnasium.make_vec = made
    for name, tap in (("SyncVectorEnv", tap_clock), ("AsyncVectorEnv", _tap_async)):
        _listen_to_new(getattr(gymnasium.vector, name), tap, stage)
    return stage


def _making(bare: Any, stage: Stage) -> Any:
    depth = [0]
    """An environment may be made of others: only the outermost is the script's."""

    @wraps(bare)
    def make(id: Any, *arguments: Any, **named: Any) -> Any:
        depth[0] += 1
        try:
            env = bare(id, *arguments, **named)
        finally:
            depth[0] -= 1
        if depth[0] == 0 and stage.is_here:
            _tap(env, id, arguments, named, stage)
        return env

    return make


def _tap(env: Any, wanted: Any, arguments: tuple[Any, ...], named: dict[str, Any], stage: Stage) -> None:
    given = dict(named)
    for name, value in zip(("max_episode_steps", "disable_env_checker"), arguments, strict=False):
        given[name] = value
    try:
        tap_env(env, find_origin(wanted, given, env), stage)
    except Exception as error:  # listening must never cost the script its environment
        stage.session.not_captured(f"The environment {wanted} could not be listened to: {error!r}.")


def _making_vectors(bare: Any, gymnasium: Any, stage: Stage) -> Any:
    @wraps(bare)
    def make_vec(id: Any, *arguments: Any, **named: Any) -> Any:
        vector = bare(id, *arguments, **named)
        seen = (gymnasium.vector.SyncVectorEnv, gymnasium.vector.AsyncVectorEnv)
        if stage.is_here and not isinstance(vector.unwrapped, seen):
            tap_hidden(vector, stage, {"env_id": str(getattr(id, "id", id))})
        return vector

    return make_vec


def _listen_to_new(kind: Any, tap: Any, stage: Stage) -> None:
    """Objects of this class, and of those made from it, get a tap when they are ready."""
    bare = kind.__init__

    @wraps(bare)
    def __init__(self: Any, *arguments: Any, **named: Any) -> None:
        bare(self, *arguments, **named)
        if stage.is_here:
            tap(self, stage)

    kind.__init__ = __init__


def _tap_async(vector: Any, stage: Stage) -> None:
    # The first member's factory is called here too, to see its spaces: that tells what the others are.
    origin = stage.last_origin
    what = {} if origin is None else {"env_id": origin.env_id, "env_kwargs": origin.env_kwargs}
    tap_hidden(vector, stage, {**what, "env_version": origin.env_version or None} if origin else {})
