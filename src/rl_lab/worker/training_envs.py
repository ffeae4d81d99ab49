"""The environments of a training: the one that viewers see, and the recorded ones that the learner steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.worker.environments.drawing import can_draw
from rl_lab.worker.environments.make import environment_version, make_environment
from rl_lab.worker.recorded_env import RecordedEnv
from rl_lab.worker.self_drawing_env import SelfDrawingEnv
from rl_lab.worker.user_code.noted_steps import NotingEnv

if TYPE_CHECKING:
    from rl_lab.worker.session import Session


def make_recorded(session: Session, index: int, n: int, wrap: Callable[[Any], Any] | None) -> Any:
    """The environment with this number of n; its steps are noted where a reward of the user scores them."""
    config = session.train_config
    env = session.make_watched(config) if index == 0 else make_environment(config.env_id, config.env_kwargs)
    session.announce(action_space=env.action_space, n_envs=n, env_version=environment_version(config.env_id))
    if session.reward is not None:
        env = NotingEnv(env, session.reward.noted, index)
    recorded = RecordedEnv(env, session.recorder, index)
    return wrap(recorded) if wrap is not None else recorded


def make_watched(session: Session, config: TrainConfig, *, draw: bool = False) -> Any:
    """One that is non-deterministic draws its frames itself, while it is watched."""
    shown = not session.is_exact and can_draw(config.env_id, config.env_kwargs)
    env = make_environment(config.env_id, config.env_kwargs, "rgb_array" if draw or shown else None)
    return SelfDrawingEnv(env, session) if shown else env
