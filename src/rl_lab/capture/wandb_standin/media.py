"""Writes images and videos that a script logs: PNG without a library, GIF if Pillow is installed."""

from __future__ import annotations

import os
import shutil
import struct
import zlib
from typing import Any

FORMATS = (".png", ".jpg", ".jpeg", ".gif", ".mp4", ".webm", ".svg")


def save_image(data: Any, path: str) -> str | None:
    """`data` is a path, an array, a PIL image or a matplotlib figure. Returns the path written; None if it failed."""
    if isinstance(data, (str, os.PathLike)):
        return _copied(os.fspath(data), path)
    try:
        if hasattr(data, "savefig"):
            data.savefig(path + ".png")
        elif hasattr(data, "save"):
            data.save(path + ".png")
        else:
            _write_png(_as_bytes(data), path + ".png")
    except Exception:
        return None
    return path + ".png"


def save_video(data: Any, path: str, fps: float) -> str | None:
    """`data` is a path or an array (frames, channels, height, width). Returns the path written; None if it failed."""
    if isinstance(data, (str, os.PathLike)):
        return _copied(os.fspath(data), path)
    try:
        from PIL import Image

        frames = _as_bytes(data)
        frames = frames.reshape(-1, *frames.shape[-3:]).transpose(0, 2, 3, 1)
        images = [Image.fromarray(frame.squeeze()) for frame in frames]
        images[0].save(
            path + ".gif", save_all=True, append_images=images[1:], duration=int(1000 / fps), loop=0
        )
    except Exception:
        return None
    return path + ".gif"


def _copied(source: str, path: str) -> str | None:
    suffix = os.path.splitext(source)[1].lower()
    if suffix not in FORMATS or not os.path.isfile(source):
        return None
    shutil.copyfile(source, path + suffix)
    return path + suffix


def _as_bytes(data: Any) -> Any:
    """An array of uint8: tensors are moved to the CPU, numbers from 0 to 1 are scaled."""
    import numpy as np

    array = np.asarray(data.detach().cpu() if hasattr(data, "detach") else data)
    if array.dtype == np.uint8:
        return array
    top = 255.0 if array.size and float(array.max()) <= 1.0 else 1.0
    return (array.astype("f8") * top).clip(0, 255).astype("u1")


def _write_png(array: Any, path: str) -> None:
    """Grey (height, width), or colour (height, width, 1, 3 or 4)."""
    height, width = array.shape[:2]
    channels = array.shape[2] if array.ndim == 3 else 1
    kind = {1: 0, 3: 2, 4: 6}[channels]
    rows = array.reshape(height, width * channels)
    raw = b"".join(b"\0" + rows[y].tobytes() for y in range(height))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for name, body in (
            (b"IHDR", struct.pack(">2I5B", width, height, 8, kind, 0, 0, 0)),
            (b"IDAT", zlib.compress(raw, 6)),
            (b"IEND", b""),
        ):
            file.write(struct.pack(">I", len(body)) + name + body)
            file.write(struct.pack(">I", zlib.crc32(name + body)))
