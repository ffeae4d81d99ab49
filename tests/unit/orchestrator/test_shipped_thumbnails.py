"""The thumbnails that are part of the lab."""

from __future__ import annotations

import pytest
import simplejpeg

from rl_lab.orchestrator.environments.shipped_thumbnails import FOLDER, read_shipped


def test_the_listed_environments_have_small_pictures_of_the_card_s_shape() -> None:
    files = sorted(FOLDER.glob("*.jpg"))
    assert {"CartPole-v1", "LunarLander-v3", "FrozenLake-v1", "Taxi-v4"} <= {file.stem for file in files}
    for file in files:
        jpeg = read_shipped(file.stem)
        assert jpeg is not None
        height, width, *_ = simplejpeg.decode_jpeg_header(jpeg)
        assert (file.name, height, width) == (file.name, 160, 240)
        assert len(jpeg) < 12_000, file.name


@pytest.mark.parametrize("env_id", ["Nothing-v0", "../service.py", "../thumbnails/CartPole-v1", ""])
def test_only_names_of_environments_are_read(env_id: str) -> None:
    assert read_shipped(env_id) is None
