"""Taps Stable-Baselines3: values of its logger become metrics, the argument of `learn` is the total."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession


def tap_logger(module: ModuleType, session: CaptureSession) -> None:
    logger = module.Logger
    dump = logger.dump

    @functools.wraps(dump)
    def dumped(self: Any, step: int = 0, *args: Any, **kwargs: Any) -> Any:
        # Read before the dump, which clears the values. With SB3's TensorBoard format the same numbers arrive through
        # a SummaryWriter, so nothing is read then.
        values = {} if _writes_tensorboard(self) else dict(getattr(self, "name_to_value", {}))
        done = dump(self, step, *args, **kwargs)
        if values:
            session.metrics(values, step)
        return done

    logger.dump = dumped


def tap_learning(module: ModuleType, session: CaptureSession) -> None:
    algorithm = module.BaseAlgorithm
    setup = algorithm._setup_learn

    @functools.wraps(setup)
    def set_up(self: Any, total_timesteps: int, *args: Any, **kwargs: Any) -> Any:
        session.set_total(total_timesteps)
        env = _innermost(getattr(self, "env", None))
        if env is not None and session.roles is not None and session.is_main_process:
            session.roles.learners.learn_begins(env)
        total, callback = setup(self, total_timesteps, *args, **kwargs)
        _note_end(callback, session)
        return total, callback

    algorithm._setup_learn = set_up


def _innermost(vector: Any) -> Any:
    """The vector environment below wrappers such as VecNormalize."""
    while hasattr(vector, "venv"):
        vector = vector.venv
    return vector


def _note_end(callback: Any, session: CaptureSession) -> None:
    """Every `learn` calls this callback as its last action; there is no function that all of them end with."""
    end = callback.on_training_end

    def ended() -> Any:
        if session.roles is not None and session.is_main_process:
            session.roles.learners.learn_ends()
        return end()

    callback.on_training_end = ended


def _writes_tensorboard(logger: Any) -> bool:
    formats = getattr(logger, "output_formats", ())
    return any(type(one).__name__ == "TensorBoardOutputFormat" for one in formats)
