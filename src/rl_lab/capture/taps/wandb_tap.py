"""The real W&B, when it was asked for: its runs' addresses, configs and logged numbers are noted on their way."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rl_lab.capture.wandb_standin.run import STEPS, flatten

if TYPE_CHECKING:
    from rl_lab.capture.session import Session


def tap_wandb(module: ModuleType, session: Session) -> None:
    if session.params.get("wandb", "stand-in") == "stand-in":
        return
    module.init = _told_init(module.init, session)  # type: ignore[attr-defined]
    module.Run.log = _told_log(module.Run.log, session)


def _told_init(init: Any, session: Session) -> Any:
    @functools.wraps(init)
    def begun(*args: Any, **kwargs: Any) -> Any:
        run = init(*args, **kwargs)
        if not session.is_main_process:
            return run
        url = getattr(run, "url", None)
        if url:
            session.telemetry.artifact(path="wandb", kind="wandb", url=str(url), title=str(run.name or "W&B"))
        else:
            session.say_once(
                "wandb_offline", "W&B runs offline: `wandb sync` sends its folder later.", level="info"
            )
        session.learn_arguments(dict(run.config))
        return run

    return begun


def _told_log(log: Any, session: Session) -> Any:
    @functools.wraps(log)
    def logged(self: Any, data: Any, step: Any = None, *args: Any, **kwargs: Any) -> Any:
        done = log(self, data, step, *args, **kwargs)
        values = dict(flatten(data))
        at = next((values[name] for name in STEPS if name in values), step)
        session.metrics(values, getattr(self, "step", None) if at is None else at)
        return done

    return logged
