"""The stand-in's run: its config and logged values go to the session, its images and videos into the run folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rl_lab.capture.to_json import plain_arguments
from rl_lab.capture.wandb_standin.ignored import IgnoredCall
from rl_lab.capture.wandb_standin.media import save_image, save_video

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession

SOURCE = "W&B key"
STEPS = ("global_step", "env_step", "env_steps", "timestep", "timesteps", "total_timesteps", "step")
"""Names of logged values that are the step of the others."""


class AttributeDict(dict[str, Any]):
    """A dict whose entries can also be used as attributes."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class WandbConfig(AttributeDict):
    """The run's configuration, as set by the script."""

    def __init__(self, session: CaptureSession) -> None:
        super().__init__()
        object.__setattr__(self, "_session", session)

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        self._report()

    def update(self, given: Any = (), allow_val_change: bool = True, **more: Any) -> None:  # type: ignore[override]
        fields = plain_arguments(given) or (dict(given) if given and not isinstance(given, str) else {})
        super().update({**fields, **more})
        self._report()

    def setdefaults(self, given: Any) -> None:
        super().update({name: value for name, value in dict(given).items() if name not in self})
        self._report()

    def as_dict(self) -> dict[str, Any]:
        return dict(self)

    def _report(self) -> None:
        object.__getattribute__(self, "_session").report_arguments(dict(self))


class LoggedMedia:
    """An image or video until it is logged."""

    suffix = ""
    kind = ""

    def __init__(self, data_or_path: Any = None, *args: Any, **options: Any) -> None:
        self.data = data_or_path
        self.options = options

    def save(self, path: str) -> str | None:
        """Write it to `path` plus a suffix; returns the whole path, or None if it failed."""
        raise NotImplementedError


class LoggedImage(LoggedMedia):
    kind = "image"

    def save(self, path: str) -> str | None:
        return save_image(self.data, path)


class LoggedVideo(LoggedMedia):
    kind = "video"

    def save(self, path: str) -> str | None:
        return save_video(self.data, path, float(self.options.get("fps") or 4))


class StandInRun:
    def __init__(self, session: CaptureSession, config: WandbConfig, given: Mapping[str, Any]) -> None:
        self._session = session
        self._logged = 0
        self.config = config
        self.summary = AttributeDict()
        self.id = str(given.get("id") or session.job.get("run_id") or "run")
        self.name = str(given.get("name") or self.id)
        self.project = given.get("project")
        self.entity = given.get("entity")
        self.group = given.get("group")
        self.url = ""
        self.dir = os.path.join(session.run_dir, "files")
        self.step = 0

    def log(self, data: Any, step: Any = None, commit: Any = None, sync: Any = None) -> None:
        values: dict[str, Any] = {}
        for name, value in flatten(data):
            entries = value if isinstance(value, (list, tuple)) else (value,)
            media = [one for one in entries if isinstance(one, LoggedMedia)]
            if media:
                self._keep(name, media)
            else:
                values[name] = value
        self.summary.update(values)
        self.step = int(step) if step is not None else self.step + 1
        at = next((values[name] for name in STEPS if name in values), step)
        run = self._session.dataset_run
        if at is None and run is not None:
            at = run.updates
        elif at is None and not self._session.has_environment:
            at = self.step
        self._session.metrics(values, at, SOURCE)

    def finish(self, *args: Any, **kwargs: Any) -> None:
        """There is nothing to upload."""

    def save(self, *files: Any, **named: Any) -> None:
        """A script's files are found by the lab."""

    def __enter__(self) -> StandInRun:
        return self

    def __exit__(self, *exc: object) -> None:
        self.finish()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return IgnoredCall(f"wandb.run.{name}", self._session)

    def _keep(self, name: str, media: list[LoggedMedia]) -> None:
        folder = os.path.join(self.dir, "media")
        os.makedirs(folder, exist_ok=True)
        for one in media:
            self._logged += 1
            label = "".join(c if c.isalnum() or c in "-_" else "_" for c in name)[:80]
            path = one.save(os.path.join(folder, f"{label}_{self._session.timestep}_{self._logged}"))
            if path is None:
                self._session.not_captured(
                    f"A {one.kind} that the script logged as “{name}” could not be saved."
                )
            else:
                self._session.sweep.report(path, one.kind, os.path.getsize(path))


def flatten(data: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """Nested dicts with the names W&B gives them, separated by dots."""
    pairs: list[tuple[str, Any]] = []
    for name, value in dict(data).items():
        if isinstance(value, Mapping) and len(prefix) < 200:
            pairs.extend(flatten(value, f"{prefix}{name}."))
        else:
            pairs.append((f"{prefix}{name}", value))
    return pairs
