"""Taps Gymnasium: every environment the script creates in its main process gets a tap.

`install` is called when the script has imported gymnasium. Environments in child processes get none.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

from rl_lab.capture.env_origins import find_origin
from rl_lab.capture.env_roles import EnvRoles, TapSession
from rl_lab.capture.gymnasium_029.vector_api import install_if_wanted
from rl_lab.capture.own_environments import known_id
from rl_lab.capture.taps.tapped_env import tap_env
from rl_lab.capture.taps.vector_taps import tap_clock, tap_hidden


def install(gymnasium: Any, session: TapSession) -> EnvRoles:
    """Patch the functions that create environments; returns the EnvRoles they are added to."""
    install_if_wanted(gymnasium, session)
    roles = EnvRoles(session)
    registration = gymnasium.envs.registration
    make = _making(registration.make, gymnasium, roles)
    registration.make = gymnasium.make = gymnasium.envs.make = make
    if hasattr(registration, "make_vec"):
        made = _making_vectors(registration.make_vec, gymnasium, roles)
        registration.make_vec = gymnasium.make_vec = made
    for name, tap in (("SyncVectorEnv", tap_clock), ("AsyncVectorEnv", _tap_async)):
        _tap_instances(getattr(gymnasium.vector, name), tap, roles)
    return roles


def _making(bare: Any, gymnasium: Any, roles: EnvRoles) -> Any:
    depth = [0]
    """An environment may create others: only the outermost is the script's."""

    @wraps(bare)
    def make(id: Any, *arguments: Any, **named: Any) -> Any:
        known_as = known_id(gymnasium, id)
        depth[0] += 1
        try:
            env = bare(known_as, *arguments, **named)
        finally:
            depth[0] -= 1
        if depth[0] == 0 and roles.is_main_process:
            _tap(env, id, arguments, named, roles)
        elif depth[0] == 0:
            roles.children.note(str(getattr(id, "id", id)))
        return env

    return make


def _tap(env: Any, wanted: Any, arguments: tuple[Any, ...], named: dict[str, Any], roles: EnvRoles) -> None:
    given = dict(named)
    for name, value in zip(("max_episode_steps", "disable_env_checker"), arguments, strict=False):
        given[name] = value
    try:
        tap_env(env, find_origin(wanted, given, env), roles)
    except Exception as error:  # an error here must not keep the script from getting its environment
        roles.session.not_captured(f"The environment {wanted} cannot be captured: {error!r}.")


def _making_vectors(bare: Any, gymnasium: Any, roles: EnvRoles) -> Any:
    @wraps(bare)
    def make_vec(id: Any, *arguments: Any, **named: Any) -> Any:
        vector = bare(known_id(gymnasium, id), *arguments, **named)
        seen = (gymnasium.vector.SyncVectorEnv, gymnasium.vector.AsyncVectorEnv)
        if roles.is_main_process and not isinstance(vector.unwrapped, seen):
            tap_hidden(vector, roles, {"env_id": str(getattr(id, "id", id))})
        return vector

    return make_vec


def _tap_instances(kind: Any, tap: Any, roles: EnvRoles) -> None:
    """Objects of this class and its subclasses get a tap after their __init__."""
    bare = kind.__init__

    @wraps(bare)
    def __init__(self: Any, *arguments: Any, **named: Any) -> None:
        bare(self, *arguments, **named)
        if roles.is_main_process:
            tap(self, roles)

    kind.__init__ = __init__


def _tap_async(vector: Any, roles: EnvRoles) -> None:
    # Gymnasium calls the first member's factory here too, to get its spaces: that gives the members' origin.
    origin = roles.last_origin
    what = {} if origin is None else {"env_id": origin.env_id, "env_kwargs": origin.env_kwargs}
    tap_hidden(vector, roles, {**what, "env_version": origin.env_version or None} if origin else {})
