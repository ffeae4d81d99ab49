"""The reel of a film: scenes with captions and the reward curve, between a title and an end with the facts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self

from rl_lab.core.evaluations import FilmScene
from rl_lab.core.jobs.policy_jobs import FilmConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.words.durations import short_duration
from rl_lab.worker.environments.drawing import Frame
from rl_lab.worker.rendering.captions import with_caption, with_curve
from rl_lab.worker.rendering.cards import draw_card
from rl_lab.worker.rendering.videos import GifWriter, Mp4Writer, frame_stride

MP4_FPS, GIF_FPS = 30.0, 15.0
TITLE_S, END_S, HOLD_S = 2.0, 3.0, 0.4
MOST_ROWS = 12
"""Scenes that the end lists; of more, evenly chosen ones."""

Shown = tuple[Frame, float]
"""A frame of a scene, and the return up to it."""


class FilmFacts(NamedTuple):
    """What a film says about its training."""

    name: str
    config: TrainConfig
    curve: Sequence[float]
    timesteps: int
    seconds: float
    best_mean: float | None
    seed: int | None
    """That all checkpoints play; None where recorded episodes are shown."""
    scenes: int
    """How many."""


class Reel:
    """Its size and speed are those of the first scene."""

    def __init__(self, path: Path, config: FilmConfig, facts: FilmFacts) -> None:
        self.path, self.facts, self._config = path, facts, config
        self._writer: Mp4Writer | GifWriter | None = None
        self._size = (0, 0)
        self._fps = MP4_FPS

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._writer is not None:
            self._writer.__exit__(kind, error, trace)

    def discard(self) -> None:
        """Leaves no file behind."""
        if self._writer is not None:
            self._writer.discard()

    def stride(self, render_fps: float, steps: int) -> int:
        """Every how many steps an episode is drawn; a long one is shown faster rather than cut."""
        is_gif = self._config.format == "gif"
        stride, fps = frame_stride(render_fps, GIF_FPS if is_gif else MP4_FPS)
        if self._writer is None:
            self._fps = fps
            self._writer = GifWriter(self.path, fps) if is_gif else Mp4Writer(self.path, fps)
        most = max(1, round(self._config.seconds_per_scene * self._fps))
        return stride * max(1, -(-steps // (stride * most)))

    def show(self, frames: Iterable[Shown], label: str, timestep: int, stopped: Callable[[], bool]) -> bool:
        """One scene, whose last frame stays for a moment; False when the run was stopped in it."""
        last: Frame | None = None
        for frame, returned in frames:
            if stopped():
                return False
            if not self._size[0]:
                self._begin(frame)
            last = self._styled(frame, label, returned, timestep)
            self._write(last)
        if last is not None and self._config.style != "plain":
            self._write(last, HOLD_S)
        return True

    def end(self, scenes: Sequence[FilmScene]) -> None:
        if self._config.style != "full" or not self._size[0]:
            return
        step = max(1, -(-len(scenes) // MOST_ROWS))
        rows = [f"step {s.timestep or 0:,}: return {_number(s.returned)}" for s in scenes[::step]]
        self._write(draw_card(*self._size, "What it learnt", [*rows, *_facts(self.facts)]), END_S)

    def _begin(self, frame: Frame) -> None:
        styled = self._styled(frame, "", 0.0, 0)
        self._size = (styled.shape[1], styled.shape[0])
        if self._config.style == "full":
            self._write(draw_card(*self._size, *_title(self.facts), self.facts.curve), TITLE_S)

    def _styled(self, frame: Frame, label: str, returned: float, timestep: int) -> Frame:
        if self._config.style == "plain":
            return frame
        if self._config.style == "full":
            frame = with_curve(frame, self.facts.curve, timestep / max(1, self.facts.timesteps))
        return with_caption(frame, label, f"return {_number(returned)}")

    def _write(self, frame: Frame, seconds: float = 0.0) -> None:
        assert self._writer is not None, "a scene has asked for its stride"
        for _ in range(max(1, round(seconds * self._fps))):
            self._writer.add(frame)


def _title(facts: FilmFacts) -> tuple[str, list[str]]:
    config: Any = facts.config
    shown = f"{facts.scenes} episodes recorded in training"
    if facts.seed is not None:
        shown = f"{facts.scenes} checkpoints play seed {facts.seed:,}"
    return facts.name, [
        f"{config.algorithm.upper()} on {config.env_id}",
        f"{facts.timesteps:,} steps, seed {config.start_seed:,}, {config.runner}",
        shown,
    ]


def _facts(facts: FilmFacts) -> list[str]:
    lines = [f"trained {facts.timesteps:,} steps in {short_duration(round(facts.seconds))}"]
    if facts.best_mean is not None:
        lines.append(f"best mean of 100 training episodes: {_number(facts.best_mean)}")
    return lines


def _number(value: float | None) -> str:
    return "unknown" if value is None else f"{value:+.1f}"
