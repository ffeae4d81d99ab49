"""Writes frames to files that every browser plays: H.264 in MP4, even sizes, at most 720p; or animated GIF."""

from __future__ import annotations

import os
import time
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from rl_lab.core.errors import NotReady
from rl_lab.worker.environments.drawing import Frame

MAX_HEIGHT = 720
MAX_WIDTH = 1280
KEY_FRAME_EVERY = 10


class Mp4Writer:
    """Writes next to the target and renames at the end, so that an incomplete video is never visible."""

    def __init__(self, path: Path, fps: float) -> None:
        self.path, self.fps, self.frames = path, fps, 0
        self._temporary = path.with_suffix(".part.mp4")
        self._container: Any = None
        self._stream: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self.frames:
            self._finish()
        else:
            if self._container is not None:
                self._container.close()
            self._temporary.unlink(missing_ok=True)

    def discard(self) -> None:
        """Leaves no file behind."""
        self.frames = 0

    def add(self, frame: Frame) -> None:
        import av

        if self._container is None:
            self._open(frame)
        encoded = av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="rgb24")
        encoded.pts = self.frames
        if (encoded.width, encoded.height) != (self._stream.width, self._stream.height):
            encoded = encoded.reformat(width=self._stream.width, height=self._stream.height)
        self.frames += 1
        for packet in self._stream.encode(encoded):
            self._container.mux(packet)

    def _open(self, frame: Frame) -> None:
        import av

        self.path.parent.mkdir(parents=True, exist_ok=True)
        width, height = video_size(frame.shape[1], frame.shape[0])
        self._container = av.open(str(self._temporary), "w", options={"movflags": "+faststart"})
        rate = Fraction(self.fps).limit_denominator(1001)
        self._stream = self._container.add_stream("libx264", rate=rate)
        self._stream.width, self._stream.height, self._stream.pix_fmt = width, height, "yuv420p"
        self._stream.options = {
            "preset": "veryfast",
            "crf": "23",
            "x264-params": f"keyint={KEY_FRAME_EVERY}:min-keyint={KEY_FRAME_EVERY}:scenecut=0",
        }

    def _finish(self) -> None:
        for packet in self._stream.encode():
            self._container.mux(packet)
        self._container.close()
        descriptor = os.open(self._temporary, os.O_RDONLY)
        os.fsync(descriptor)
        os.close(descriptor)
        self._temporary.rename(self.path)


def encoder_problem() -> str | None:
    """Why no MP4 can be written here, with the remedy; None when it can."""
    try:
        import av

        av.Codec("libx264", "w")
    except ImportError:
        return "The Python package “av” is not installed. Install it with: pip install 'av<19'"
    except ValueError:
        return "This build of “av” has no H.264 encoder. Install it again with: pip install --force-reinstall 'av<19'"
    return None


def require_encoder() -> None:
    problem = encoder_problem()
    if problem is not None:
        cause, _, remedy = problem.partition(". ")
        raise NotReady(f"No MP4 can be written: {cause}.", cause="missing-package", next_step=remedy)


def video_name(beginning: str) -> str:
    """`eval_20260131-120000-123`: different even for two videos in one second."""
    now = time.time()
    return f"{beginning}_{time.strftime('%Y%m%d-%H%M%S', time.localtime(now))}-{int(now * 1000) % 1000:03d}"


class GifWriter:
    """The same interface for an animated GIF."""

    def __init__(self, path: Path, fps: float) -> None:
        self.path, self.fps, self.frames = path, fps, 0
        self._images: list[Any] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None or not self._images:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_suffix(".part.gif")
        first, *rest = self._images
        first.save(temporary, save_all=True, append_images=rest, duration=round(1000 / self.fps), loop=0)
        temporary.rename(self.path)

    def discard(self) -> None:
        """Leaves no file behind."""
        self._images.clear()

    def add(self, frame: Frame) -> None:
        from PIL import Image

        image = Image.fromarray(frame)
        image.thumbnail((480, 480))
        self._images.append(image.quantize(128))
        self.frames += 1


def video_size(width: int, height: int) -> tuple[int, int]:
    """Even, at most 1280 × 720, same proportions; tiny frames are enlarged."""
    scale = min(1.0, MAX_WIDTH / width, MAX_HEIGHT / height)
    if max(width, height) < 240:
        scale = 240 / max(width, height)
    return max(2, round(width * scale) // 2 * 2), max(2, round(height * scale) // 2 * 2)


def frame_stride(render_fps: float, wanted_fps: float = 30.0) -> tuple[int, float]:
    """Take every n-th frame so that a video runs in real time at no more than `wanted_fps`."""
    stride = max(1, -(-int(render_fps) // int(wanted_fps)))
    return stride, render_fps / stride
