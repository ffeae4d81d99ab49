"""Logs a warning when a script uses something that cannot be captured; the texts are in `portable/uncaptured.py`."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rl_lab.portable.uncaptured import ENVPOOL, GYM, JAX, MODULES, PETTINGZOO

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession

ENVPOOL_MAKERS = ("make", "make_gym", "make_gymnasium", "make_dm")
MAKERS = ("make", "get_environment", "create", "make_craftax_env_from_name", "ProcgenEnv", "ProcgenGym3Env")
"""Functions and classes that make environments in the modules of `MODULES`."""


def tap_envpool(module: ModuleType, session: CaptureSession) -> None:
    for name in ENVPOOL_MAKERS:
        if hasattr(module, name):
            setattr(module, name, _tapped_make(getattr(module, name), session))


def tap_pettingzoo(module: ModuleType, session: CaptureSession) -> None:
    """For `pettingzoo.utils.env`: every environment is an object of one of its classes, whoever makes it."""
    for name in ("AECEnv", "ParallelEnv"):
        kind = getattr(module, name, None)
        if kind is not None:
            kind.__new__ = _noted_new(PETTINGZOO, session)


def tap_makers(module: ModuleType, session: CaptureSession) -> None:
    """A module whose environments cannot be captured: it is logged when the script makes one."""
    text = MODULES[module.__name__.partition(".")[0]]
    for name in MAKERS:
        make = getattr(module, name, None)
        if callable(make) and not isinstance(make, type):
            setattr(module, name, _noted(make, text, session))


def note_jax(_module: ModuleType, session: CaptureSession) -> None:
    session.gaps.append(JAX)


def note_gym(module: ModuleType, session: CaptureSession) -> None:
    """Stable-Baselines3 imports gym if it is installed: an import is logged only when nothing else is captured."""
    if "gym" in session.stood_in:
        return
    session.gaps.append(GYM)
    if hasattr(module, "make"):
        module.make = _noted(module.make, GYM, session)  # type: ignore[attr-defined]


def note_module(module: ModuleType, session: CaptureSession) -> None:
    """A module without one function that makes its environments: logged when nothing else is captured."""
    session.gaps.append(MODULES[module.__name__])


def _noted(make: Any, text: str, session: CaptureSession) -> Any:
    @functools.wraps(make)
    def made(*args: Any, **kwargs: Any) -> Any:
        session.not_captured(text)
        return make(*args, **kwargs)

    return made


def _noted_new(text: str, session: CaptureSession) -> Any:
    def __new__(cls: Any, *args: Any, **kwargs: Any) -> Any:
        session.not_captured(text)
        return object.__new__(cls)

    return __new__


def _tapped_make(make: Any, session: CaptureSession) -> Any:
    @functools.wraps(make)
    def made(task_id: str, *args: Any, **kwargs: Any) -> Any:
        session.not_captured(ENVPOOL)
        session.report_config(env_id=str(task_id), n_envs=int(kwargs.get("num_envs") or 1))
        session.has_environment = False  # its name is known, but its episodes are not captured
        session.gaps.clear()
        return make(task_id, *args, **kwargs)

    return made
