"""Taps the real W&B, when the user chose it: URL, config and logged numbers of its runs are captured."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rl_lab.capture.wandb_standin.run import STEPS, flatten

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession


def tap_wandb(module: ModuleType, session: CaptureSession) -> None:
    if session.params.get("wandb", "stand-in") == "stand-in":
        return
    module.init = _tapped_init(module.init, session)  # type: ignore[attr-defined]
    module.Run.log = _tapped_log(module.Run.log, session)


def _tapped_init(init: Any, session: CaptureSession) -> Any:
    @functools.wraps(init)
    def begun(*args: Any, **kwargs: Any) -> Any:
        run = init(*args, **kwargs)
        if not session.is_main_process:
            return run
        url = getattr(run, "url", None)
        if url:
            session.telemetry.artifact(path="wandb", kind="wandb", url=str(url), title=str(run.name or "W&B"))
        else:
            session.log_once(
                "wandb_offline", "W&B runs offline: `wandb sync` uploads its folder later.", level="info"
            )
        session.report_arguments(dict(run.config))
        return run

    return begun


def _tapped_log(log: Any, session: CaptureSession) -> Any:
    @functools.wraps(log)
    def logged(self: Any, data: Any, step: Any = None, *args: Any, **kwargs: Any) -> Any:
        done = log(self, data, step, *args, **kwargs)
        values = dict(flatten(data))
        at = next((values[name] for name in STEPS if name in values), step)
        session.metrics(values, getattr(self, "step", None) if at is None else at)
        return done

    return logged
