"""The stand-in's run: its config and log lines go to the session, its pictures and videos into the run folder."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rl_lab.capture.to_json import plain_arguments
from rl_lab.capture.wandb_standin.media import save_image, save_video
from rl_lab.capture.wandb_standin.nothing import Nothing

if TYPE_CHECKING:
    from rl_lab.capture.session import Session

STEPS = ("global_step", "env_step", "env_steps", "timestep", "timesteps", "total_timesteps", "step")
"""Logged values that are the step of the others."""


class Record(dict[str, Any]):
    """A dict whose entries are attributes too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class Config(Record):
    """What a script puts here is the run's configuration."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        object.__setattr__(self, "_session", session)

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        self._tell()

    def update(self, given: Any = (), allow_val_change: bool = True, **more: Any) -> None:  # type: ignore[override]
        fields = plain_arguments(given) or (dict(given) if given and not isinstance(given, str) else {})
        super().update({**fields, **more})
        self._tell()

    def setdefaults(self, given: Any) -> None:
        super().update({name: value for name, value in dict(given).items() if name not in self})
        self._tell()

    def as_dict(self) -> dict[str, Any]:
        return dict(self)

    def _tell(self) -> None:
        object.__getattribute__(self, "_session").learn_arguments(dict(self))


class Media:
    """A picture or video until it is logged."""

    suffix = ""
    kind = ""

    def __init__(self, data_or_path: Any = None, *args: Any, **options: Any) -> None:
        self.data = data_or_path
        self.options = options

    def save(self, path: str) -> str | None:
        """Write it at `path` plus a suffix; the whole path, or None when it cannot be written."""
        raise NotImplementedError


class Image(Media):
    kind = "image"

    def save(self, path: str) -> str | None:
        return save_image(self.data, path)


class Video(Media):
    kind = "video"

    def save(self, path: str) -> str | None:
        return save_video(self.data, path, float(self.options.get("fps") or 4))


class StandInRun:
    def __init__(self, session: Session, config: Config, given: Mapping[str, Any]) -> None:
        self._session = session
        self._logged = 0
        self.config = config
        self.summary = Record()
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
            pictures = value if isinstance(value, (list, tuple)) else (value,)
            media = [one for one in pictures if isinstance(one, Media)]
            if media:
                self._keep(name, media)
            else:
                values[name] = value
        self.summary.update(values)
        self.step = int(step) if step is not None else self.step + 1
        at = next((values[name] for name in STEPS if name in values), step)
        if at is None and not self._session.has_environment:
            at = self.step
        self._session.metrics(values, at)

    def finish(self, *args: Any, **kwargs: Any) -> None:
        """Nothing is held back that would have to be sent."""

    def __enter__(self) -> StandInRun:
        return self

    def __exit__(self, *exc: object) -> None:
        self.finish()

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing(f"wandb.run.{name}", self._session)

    def _keep(self, name: str, media: list[Media]) -> None:
        folder = os.path.join(self.dir, "media")
        os.makedirs(folder, exist_ok=True)
        for one in media:
            self._logged += 1
            label = "".join(c if c.isalnum() or c in "-_" else "_" for c in name)[:80]
            path = one.save(os.path.join(folder, f"{label}_{self._session.timestep}_{self._logged}"))
            if path is None:
                self._session.not_captured(
                    f"A {one.kind} that the script logged as “{name}” could not be written."
                )
            else:
                self._session.sweep.tell(path, one.kind, os.path.getsize(path))


def flatten(data: Any, prefix: str = "") -> list[tuple[str, Any]]:
    """Nested dicts as W&B names them, with a dot."""
    pairs: list[tuple[str, Any]] = []
    for name, value in dict(data).items():
        if isinstance(value, Mapping) and len(prefix) < 200:
            pairs.extend(flatten(value, f"{prefix}{name}."))
        else:
            pairs.append((f"{prefix}{name}", value))
    return pairs
