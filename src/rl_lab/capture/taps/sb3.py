"""Stable-Baselines3 in a script: what its logger dumps becomes metrics, what `learn` is asked for the total."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rl_lab.capture.session import Session


def tap_logger(module: ModuleType, session: Session) -> None:
    logger = module.Logger
    dump = logger.dump

    @functools.wraps(dump)
    def dumped(self: Any, step: int = 0, *args: Any, **kwargs: Any) -> Any:
        # Before the dump: it empties what was gathered. SB3's TensorBoard format writes the same numbers, but
        # through a SummaryWriter, so it is asked first whether one is there.
        values = {} if _writes_tensorboard(self) else dict(getattr(self, "name_to_value", {}))
        done = dump(self, step, *args, **kwargs)
        if values:
            session.metrics(values, step)
        return done

    logger.dump = dumped


def tap_learning(module: ModuleType, session: Session) -> None:
    algorithm = module.BaseAlgorithm
    setup = algorithm._setup_learn

    @functools.wraps(setup)
    def set_up(self: Any, total_timesteps: int, *args: Any, **kwargs: Any) -> Any:
        session.learn_total(total_timesteps)
        return setup(self, total_timesteps, *args, **kwargs)

    algorithm._setup_learn = set_up


def _writes_tensorboard(logger: Any) -> bool:
    formats = getattr(logger, "output_formats", ())
    return any(type(one).__name__ == "TensorBoardOutputFormat" for one in formats)
