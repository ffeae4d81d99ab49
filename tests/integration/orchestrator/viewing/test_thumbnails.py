"""Stills of environments: small JPEGs, drawn once, 404 where nothing can be drawn."""

from __future__ import annotations

import numpy as np
import simplejpeg
from support.server import Server
from support.waiting import DEADLINE_S

from rl_lab.worker.rendering.thumbnails import shrunk


def test_a_thumbnail_is_small_drawn_once_and_kept(shared_server: Server) -> None:
    address = "/api/environments/ALE/Pong-v5/thumbnail"
    answer = shared_server.client.get(address, timeout=DEADLINE_S)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "image/jpeg"
    assert "max-age" in answer.headers["cache-control"]
    height, width, *_ = simplejpeg.decode_jpeg_header(answer.content)
    assert (height, width) == (210, 160), "a name with a slash is one environment"
    [file] = (shared_server.home / "cache" / "thumbnails").iterdir()
    assert file.read_bytes() == answer.content
    file.write_bytes(b"kept")
    again = shared_server.client.get(address)
    assert again.content == b"kept", "it is not drawn a second time"


def test_an_environment_that_is_not_there_has_no_thumbnail(shared_server: Server) -> None:
    answer = shared_server.client.get("/api/environments/Nothing-v0/thumbnail")
    assert answer.status_code == 422
    assert "Nothing-v0" in answer.json()["detail"]


def test_shrinking_takes_the_mean_of_what_a_pixel_stands_for() -> None:
    frame = np.zeros((400, 600, 3), dtype=np.uint8)
    frame[:, 300:] = 200
    small = shrunk(frame, 240)
    assert small.shape == (160, 240, 3)
    assert (small[0, 0, 0], small[0, -1, 0]) == (0, 200)
    assert small.mean() == frame.mean()
