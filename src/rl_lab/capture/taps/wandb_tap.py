"""Taps the real W&B, when the user chose it: URL, config and logged numbers of its runs are captured."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rl_lab.capture.wandb_standin.run import SOURCE, STEPS, flatten

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession


def tap_wandb(module: ModuleType, session: CaptureSession) -> None:
    if session.params.get("wandb", "stand-in") == "stand-in":
        return
    module.init = _tapped_init(module.init, session)  # type: ignore[attr-defined]
    module.Run.log = _tapped_log(module.Run.log, session)
    module.Run.finish = _tapped_finish(module.Run.finish, session)


def _tapped_init(init: Any, session: CaptureSession) -> Any:
    @functools.wraps(init)
    def begun(*args: Any, **kwargs: Any) -> Any:
        try:
            run = init(*args, **kwargs)
        except Exception as error:
            _report_failure(session, None, error)
            raise
        if not session.is_main_process:
            return run
        if getattr(run, "url", None):
            _report_upload(session, run, "uploading")
        else:
            session.log_once(
                "wandb_offline", "W&B runs offline: `wandb sync` uploads its folder later.", level="info"
            )
        session.report_arguments(dict(run.config))
        return run

    return begun


def _tapped_finish(finish: Any, session: CaptureSession) -> Any:
    """W&B waits in `finish` until everything is uploaded; at the end of the process it calls `finish` itself."""

    @functools.wraps(finish)
    def ended(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            done = finish(self, *args, **kwargs)
        except Exception as error:
            _report_failure(session, self, error)
            raise
        if session.is_main_process and getattr(self, "url", None):
            _report_upload(session, self, "finished")
        return done

    return ended


def _report_upload(session: CaptureSession, run: Any, upload: str) -> None:
    title = str(run.name or "W&B")
    session.telemetry.artifact(path="wandb", kind="wandb", url=str(run.url), title=title, upload=upload)


def _report_failure(session: CaptureSession, run: Any, error: Exception) -> None:
    if not session.is_main_process:
        return
    session.log_once("wandb_failed", f"W&B could not upload: {error}"[:500], level="warning")
    url = getattr(run, "url", None) or ""
    session.telemetry.artifact(path="wandb", kind="wandb", url=str(url), title="W&B", upload="failed")


def _tapped_log(log: Any, session: CaptureSession) -> Any:
    @functools.wraps(log)
    def logged(self: Any, data: Any, step: Any = None, *args: Any, **kwargs: Any) -> Any:
        done = log(self, data, step, *args, **kwargs)
        values = dict(flatten(data))
        at = next((values[name] for name in STEPS if name in values), step)
        session.metrics(values, getattr(self, "step", None) if at is None else at, SOURCE)
        return done

    return logged
