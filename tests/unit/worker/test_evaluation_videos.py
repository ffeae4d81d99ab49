"""Which episodes the video of an evaluation shows."""

from __future__ import annotations

import pytest

from rl_lab.core.jobs.policy_jobs import VideoEpisodes
from rl_lab.worker.jobs.episodes import Played
from rl_lab.worker.jobs.evaluation_videos import choose_episodes


def played(*returns: float) -> list[Played]:
    return [Played(n, returned, 1, True, False) for n, returned in enumerate(returns)]


@pytest.mark.parametrize(
    ("wanted", "returns", "shown"),
    [
        ("median", (9, 1, 5), [2]),
        ("median", (7,), [0]),
        ("median", (4, 3, 2, 1), [2]),
        ("best", (1, 9, 5), [1]),
        ("all", (1, 9, 5), [0, 1, 2]),
    ],
)
def test_a_video_shows_the_episodes_that_were_asked_for(
    wanted: VideoEpisodes, returns: tuple[float, ...], shown: list[int]
) -> None:
    assert choose_episodes(played(*returns), wanted) == shown
