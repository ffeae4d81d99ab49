"""A clip: frames of the live feed as a short MP4."""

from __future__ import annotations

import base64
from typing import Any

import simplejpeg

from rl_lab.portable.frame_protocol import split_frame_message
from rl_lab.worker.rendering.made_files import handed_over
from rl_lab.worker.rendering.videos import Mp4Writer, require_encoder

MAX_FRAMES = 200


def make_clip(given: dict[str, Any]) -> dict[str, Any]:
    require_encoder()
    with (
        handed_over(int(given["output"]), ".mp4") as made,
        Mp4Writer(made.path, float(given["fps"])) as writer,
    ):
        for text in given["frames"][-MAX_FRAMES:]:
            _, jpeg = split_frame_message(base64.b64decode(text))
            if jpeg:
                writer.add(simplejpeg.decode_jpeg(jpeg))
    return {"frames": writer.frames, "size": made.size}
