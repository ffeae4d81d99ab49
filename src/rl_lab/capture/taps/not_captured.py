"""What cannot be captured, said in words where a script does it."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.capture.session import Session

ENVPOOL = (
    "EnvPool steps its environments in native threads: episodes cannot be recorded. "
    "Metrics, configuration, log and files are captured."
)
JAX = (
    "The script uses JAX and no Gymnasium environment: steps inside compiled functions cannot be seen, and its "
    "parameters are not in torch modules. Metrics, configuration, log and files are captured."
)
GYM = (
    "The script uses the old package gym, whose environments are not watched; gymnasium's are. "
    "Metrics, configuration, log and files are captured."
)
MAKERS = ("make", "make_gym", "make_gymnasium", "make_dm")


def tap_envpool(module: ModuleType, session: Session) -> None:
    for name in MAKERS:
        if hasattr(module, name):
            setattr(module, name, _told_make(getattr(module, name), session))


def note_jax(_module: ModuleType, session: Session) -> None:
    session.gaps.append(JAX)


def note_gym(_module: ModuleType, session: Session) -> None:
    """Stable-Baselines3 imports it where it finds it: said only when no other environment comes."""
    session.gaps.append(GYM)


def _told_make(make: Any, session: Session) -> Any:
    @functools.wraps(make)
    def made(task_id: str, *args: Any, **kwargs: Any) -> Any:
        session.not_captured(ENVPOOL)
        session.learn(env_id=str(task_id), n_envs=int(kwargs.get("num_envs") or 1))
        session.has_environment = False  # known by name, but its episodes are not seen
        session.gaps.clear()
        return make(task_id, *args, **kwargs)

    return made
