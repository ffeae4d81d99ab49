"""The stand-in module `wandb`, for scripts that run without an account: config, log and media go to the lab.

It is used whether W&B is installed or not. Calls the lab does not need are accepted, ignored, and logged once.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any

from rl_lab.capture.wandb_standin.ignored import IgnoredCall

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession
    from rl_lab.capture.wandb_standin.run import StandInRun


class StandInFinder:
    """Finds wandb and its submodules, before the installed package is searched for."""

    def __init__(self, session: CaptureSession) -> None:
        self._session = session

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != "wandb" and not name.startswith("wandb."):
            return None
        self._session.stood_in.add("wandb")
        return ModuleSpec(name, _Loader(self._session), is_package=True)  # type: ignore[arg-type]


class _Loader:
    def __init__(self, session: CaptureSession) -> None:
        self._session = session

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return StandIn(spec.name, self._session) if spec.name == "wandb" else _Part(spec.name, self._session)

    def exec_module(self, module: ModuleType) -> None:
        """There is no code to run."""


class StandIn(ModuleType):
    """`wandb` itself; `run` and `config` belong to the newest run."""

    __version__ = "0.31.0"

    def __init__(self, name: str, session: CaptureSession) -> None:
        super().__init__(name, "W&B calls handled by the lab.")
        from rl_lab.capture.wandb_standin import run as wandb_run

        self._session = session
        self._make_run = wandb_run.StandInRun
        self.run: StandInRun | None = None
        self.config: Any = wandb_run.WandbConfig(session)
        self.summary: Any = wandb_run.AttributeDict()
        self.Run = wandb_run.StandInRun
        self.Video, self.Image = wandb_run.LoggedVideo, wandb_run.LoggedImage

    def init(self, *, config: Any = None, **given: Any) -> StandInRun:
        if self.run is None or given.get("reinit"):
            self.run = self._make_run(self._session, self.config, given)
        if config is not None:
            self.config.update(config)
        self.summary = self.run.summary
        message = (
            "wandb calls are handled by the lab; nothing is uploaded. `--wandb online` uses your account."
        )
        self._session.log_once("wandb_stand_in", message, level="info")
        return self.run

    def log(self, data: Any, step: Any = None, commit: Any = None, sync: Any = None) -> None:
        (self.run or self.init()).log(data, step=step)

    def finish(self, *args: Any, **kwargs: Any) -> None:
        self.run = None

    def login(self, *args: Any, **kwargs: Any) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return IgnoredCall(f"wandb.{name}", self._session)


class _Part(ModuleType):
    """A module below wandb: integrations, sdk, util."""

    def __init__(self, name: str, session: CaptureSession) -> None:
        super().__init__(name)
        self._session = session

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "WandbCallback" and "stable_baselines3" in sys.modules:
            return _sb3_callback()
        return IgnoredCall(f"{self.__name__}.{name}", self._session)


def _sb3_callback() -> Any:
    """Stable-Baselines3 needs a real callback."""
    from stable_baselines3.common.callbacks import BaseCallback

    class WandbCallback(BaseCallback):  # type: ignore[misc]
        def __init__(self, verbose: int = 0, **_given: Any) -> None:
            super().__init__(verbose)

        def _on_step(self) -> bool:
            return True

    return WandbCallback
