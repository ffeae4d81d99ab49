"""Videos are decoded again and looked at."""

from pathlib import Path

import av
import numpy as np
import pytest

from rl_lab.worker.rendering.captions import side_by_side, with_caption, with_curve
from rl_lab.worker.rendering.videos import GifWriter, Mp4Writer, frame_stride, video_size


def _frames(count: int, width: int, height: int) -> list[np.ndarray]:
    ramp = np.linspace(0, 255, width, dtype=np.uint8)
    return [
        np.broadcast_to(np.roll(ramp, n * 3)[None, :, None], (height, width, 3)).copy() for n in range(count)
    ]


@pytest.mark.parametrize(("width", "height"), [(600, 400), (601, 401), (1920, 1080), (160, 210)])
def test_a_video_is_h264_with_even_sizes_and_close_key_frames(
    tmp_path: Path, width: int, height: int
) -> None:
    path = tmp_path / "v.mp4"
    with Mp4Writer(path, 25) as writer:
        for frame in _frames(35, width, height):
            writer.add(frame)
    with av.open(str(path)) as video:
        stream = video.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        assert stream.width % 2 == stream.height % 2 == 0
        assert stream.width <= 1280
        assert stream.height <= 720
        decoded = list(video.decode(stream))
    assert len(decoded) == 35
    assert [n for n, f in enumerate(decoded) if f.key_frame][:3] == [0, 10, 20]
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat"), "a browser can start before the file is complete"


def test_a_failure_in_the_middle_leaves_no_video(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError), Mp4Writer(tmp_path / "v.mp4", 30) as writer:
        writer.add(_frames(1, 64, 64)[0])
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_a_gif_has_every_frame(tmp_path: Path) -> None:
    from PIL import Image

    with GifWriter(tmp_path / "v.gif", 15) as writer:
        for frame in _frames(12, 600, 400):
            writer.add(frame)
    with Image.open(tmp_path / "v.gif") as gif:
        assert gif.n_frames == 12
        assert max(gif.size) <= 480


def test_fast_environments_are_filmed_in_real_time_at_thirty_frames_or_less() -> None:
    assert frame_stride(50) == (2, 25.0)
    assert frame_stride(30) == (1, 30.0)
    assert frame_stride(4) == (1, 4.0)
    assert video_size(160, 210) == (182, 240)


def test_captions_and_curves_change_only_their_corner() -> None:
    frame = np.full((200, 300, 3), 7, dtype=np.uint8)
    told = with_caption(frame, "step 1,000", "return +3.0")
    assert told.shape == (234, 300, 3)
    assert np.array_equal(told[:200], frame)
    assert told[200:].min() < 60
    curved = with_curve(frame, [0, 1, 5, 3], 0.5)
    assert np.array_equal(curved[80:], frame[80:])
    assert not np.array_equal(curved[:80], frame[:80])
    assert side_by_side([frame, frame], ["a", "b"]).shape == (234, 600, 3)
