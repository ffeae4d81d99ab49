"""What the calls of the real W&B show about its upload."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from rl_lab.capture.taps.wandb_tap import tap_wandb


class Session:
    """Keeps what the tap reports."""

    is_main_process = True

    def __init__(self) -> None:
        self.params = {"wandb": "online"}
        self.sent: list[dict[str, Any]] = []
        self.logged: list[str] = []
        self.telemetry = SimpleNamespace(artifact=lambda **fields: self.sent.append(fields))

    def log_once(self, code: str, message: str, level: str) -> None:
        self.logged.append(message)

    def report_arguments(self, arguments: dict[str, Any]) -> None:
        pass


def _wandb(*, url: str | None, fails: str = "") -> ModuleType:
    """A module with W&B's names; its upload ends in `finish`, as W&B's does."""

    class Run:
        name = "first"
        config: tuple[()] = ()

        def log(self, data: Any, step: Any = None) -> None: ...

        def finish(self, exit_code: int | None = None) -> None:
            if fails == "finish":
                raise TimeoutError("no answer")

    Run.url = url  # type: ignore[attr-defined]

    def init() -> Run:
        if fails == "init":
            raise ConnectionError("no network")
        return Run()

    module = ModuleType("wandb")
    module.Run, module.init = Run, init  # type: ignore[attr-defined]
    return module


def test_an_upload_is_reported_from_its_begin_to_its_end() -> None:
    session, module = Session(), _wandb(url="https://wandb.ai/me/lab/runs/a")
    tap_wandb(module, session)  # type: ignore[arg-type]
    run = module.init()
    assert [(one["upload"], one["url"]) for one in session.sent] == [
        ("uploading", "https://wandb.ai/me/lab/runs/a")
    ]
    run.finish()
    assert session.sent[-1]["upload"] == "finished"


@pytest.mark.parametrize(
    ("fails", "error", "message"),
    [("init", ConnectionError, "no network"), ("finish", TimeoutError, "no answer")],
)
def test_a_failed_upload_is_reported_and_still_raised(
    fails: str, error: type[Exception], message: str
) -> None:
    session, module = Session(), _wandb(url="https://wandb.ai/me/lab/runs/a", fails=fails)
    tap_wandb(module, session)  # type: ignore[arg-type]
    with pytest.raises(error):
        module.init().finish()
    assert session.sent[-1]["upload"] == "failed"
    assert session.logged == [f"W&B could not upload: {message}"]


def test_an_offline_run_reports_no_upload() -> None:
    session, module = Session(), _wandb(url=None)
    tap_wandb(module, session)  # type: ignore[arg-type]
    module.init().finish()
    assert session.sent == []
    assert "offline" in session.logged[0]
