"""The reel of a film: scenes with captions, for a training its reward curve, between a title and an end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from rl_lab.core.evaluations import FilmScene
from rl_lab.core.jobs.policy_jobs import FilmConfig
from rl_lab.worker.environments.drawing import Frame
from rl_lab.worker.jobs.film_words import FilmWords, end_row, return_text
from rl_lab.worker.rendering.captions import with_caption, with_curve
from rl_lab.worker.rendering.cards import draw_card
from rl_lab.worker.rendering.videos import GifWriter, Mp4Writer, frame_stride

MP4_FPS, GIF_FPS = 30.0, 15.0
TITLE_S, END_S, HOLD_S = 2.0, 3.0, 0.4
MOST_ROWS = 12
"""Scenes that the end lists; of more, evenly chosen ones."""

Shown = tuple[Frame, float]
"""A frame of a scene, and the return up to it."""


class Reel:
    """Its size and speed are those of the first scene."""

    def __init__(self, path: Path, config: FilmConfig, words: FilmWords) -> None:
        self.path, self.words, self._config = path, words, config
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
        rows = [end_row(self.words, scene) for scene in scenes[::step]]
        self._write(draw_card(*self._size, self.words.end_title, [*rows, *self.words.facts]), END_S)

    def _begin(self, frame: Frame) -> None:
        styled = self._styled(frame, "", 0.0, 0)
        self._size = (styled.shape[1], styled.shape[0])
        if self._config.style == "full":
            words = self.words
            self._write(draw_card(*self._size, words.title, words.about, words.curve), TITLE_S)

    def _styled(self, frame: Frame, label: str, returned: float, timestep: int) -> Frame:
        if self._config.style == "plain":
            return frame
        if self._config.style == "full" and self.words.curve:
            frame = with_curve(frame, self.words.curve, timestep / max(1, self.words.timesteps))
        return with_caption(frame, label, f"return {return_text(returned)}")

    def _write(self, frame: Frame, seconds: float = 0.0) -> None:
        assert self._writer is not None, "a scene has asked for its stride"
        for _ in range(max(1, round(seconds * self._fps))):
            self._writer.add(frame)
