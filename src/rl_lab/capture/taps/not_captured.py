"""Logs a warning when a script uses something that cannot be captured."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession

ENVPOOL = (
    "EnvPool steps its environments in native threads: episodes cannot be recorded. "
    "Metrics, configuration, log and files are captured."
)
JAX = (
    "The script uses JAX and no Gymnasium environment: steps inside compiled functions cannot be captured, and its "
    "parameters are not in torch modules. Metrics, configuration, log and files are captured."
)
GYM = (
    "The script uses the old package gym, whose environments are not captured; those of gymnasium are. "
    "Metrics, configuration, log and files are captured."
)
MAKERS = ("make", "make_gym", "make_gymnasium", "make_dm")


def tap_envpool(module: ModuleType, session: CaptureSession) -> None:
    for name in MAKERS:
        if hasattr(module, name):
            setattr(module, name, _tapped_make(getattr(module, name), session))


def note_jax(_module: ModuleType, session: CaptureSession) -> None:
    session.gaps.append(JAX)


def note_gym(_module: ModuleType, session: CaptureSession) -> None:
    """Stable-Baselines3 imports gym if it is installed: logged only when no other environment is captured."""
    session.gaps.append(GYM)


def _tapped_make(make: Any, session: CaptureSession) -> Any:
    @functools.wraps(make)
    def made(task_id: str, *args: Any, **kwargs: Any) -> Any:
        session.not_captured(ENVPOOL)
        session.report_config(env_id=str(task_id), n_envs=int(kwargs.get("num_envs") or 1))
        session.has_environment = False  # its name is known, but its episodes are not captured
        session.gaps.clear()
        return make(task_id, *args, **kwargs)

    return made
