"""Taps the vector environments of Stable-Baselines3.

Those of SubprocVecEnv run in other processes: their episodes are computed from the returned rewards and dones, without
recordings.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession
    from rl_lab.capture.taps.vector_taps import Tally

_MADE: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()
"""Arguments of `make_vec_env`: they are not available later in this process."""


def tap_making(module: ModuleType, _session: CaptureSession) -> None:
    make_vec_env = module.make_vec_env

    @functools.wraps(make_vec_env)
    def made(env_id: Any, n_envs: int = 1, seed: Any = None, *args: Any, **kwargs: Any) -> Any:
        vector = make_vec_env(env_id, n_envs, seed, *args, **kwargs)
        if isinstance(env_id, str) and type(vector).__name__ == "SubprocVecEnv":
            _MADE[vector] = {"env_id": env_id, "seed": seed if type(seed) is int else None}
        return vector

    module.make_vec_env = made  # type: ignore[attr-defined]


def tap_subproc(module: ModuleType, session: CaptureSession) -> None:
    kind = module.SubprocVecEnv
    step_wait, reset = kind.step_wait, kind.reset
    tallies: WeakKeyDictionary[Any, Tally] = WeakKeyDictionary()

    @functools.wraps(step_wait)
    def waited(self: Any) -> Any:
        result = step_wait(self)
        if session.roles is not None and session.roles.is_main_process:
            if self not in tallies:
                tallies[self] = _tally(self, session)
            _count(tallies[self], result, session)
        return result

    @functools.wraps(reset)
    def begun(self: Any, *args: Any, **kwargs: Any) -> Any:
        if self in tallies:
            tallies[self].reset()
        return reset(self, *args, **kwargs)

    kind.step_wait, kind.reset = waited, begun


def tap_dummy(module: ModuleType, session: CaptureSession) -> None:
    """DummyVecEnv: its members have their own taps; its steps are counted as Stable-Baselines3 counts them."""
    kind = module.DummyVecEnv
    step_wait = kind.step_wait

    @functools.wraps(step_wait)
    def waited(self: Any) -> Any:
        if session.roles is not None and session.roles.is_main_process:
            session.roles.clock_of(self).steps += int(self.num_envs)
        return step_wait(self)

    kind.step_wait = waited


def _tally(vector: Any, session: CaptureSession) -> Tally:
    from rl_lab.capture.taps.vector_taps import Tally

    session.has_environment = True
    return Tally(session.roles, vector, _MADE.get(vector, {}), instead="DummyVecEnv")


def _count(tally: Tally, result: Any, session: CaptureSession) -> None:
    _, rewards, dones, infos = result
    truncated = [bool(info.get("TimeLimit.truncated")) for info in infos]
    terminated = [bool(done) and not cut for done, cut in zip(dones, truncated, strict=True)]
    truncated = [bool(done) and cut for done, cut in zip(dones, truncated, strict=True)]
    tally.count((None, rewards, terminated, truncated), rests=False)
    if session.attention:
        session.boundary()
