"""A frame as a JPEG, and back."""

from __future__ import annotations

import numpy as np
import simplejpeg

from rl_lab.worker.environments.drawing import Frame

QUALITY = 80


def to_jpeg(frame: Frame) -> bytes:
    jpeg: bytes = simplejpeg.encode_jpeg(
        np.ascontiguousarray(frame), quality=QUALITY, colorspace="RGB", colorsubsampling="420"
    )
    return jpeg


def from_jpeg(jpeg: bytes) -> Frame:
    frame: Frame = simplejpeg.decode_jpeg(jpeg, colorspace="RGB")
    return frame
