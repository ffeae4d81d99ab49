"""Files that leave the lab are named after their run."""

from __future__ import annotations

import pytest

from rl_lab.core.words.file_names import file_name


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        ("PPO on CartPole-v1 · seed 3", "PPO-CartPole-v1-seed-3"),
        ("PPO on ALE/Pong-v5 · learning rate 0.002 · seed 3", "PPO-ALE-Pong-v5-learning-rate-0.002-seed-3"),
        ("DQN on CartPole-v1 · 20,000 steps", "DQN-CartPole-v1-20000-steps"),
        ("Essai d'été −1", "Essai-d-ete-1"),
        ("../../etc/passwd", "etc-passwd"),
        ('a"b\r\nX: y', "a-b-X-y"),
        ("实验", "run"),
        ("long " * 60, "-".join(["long"] * 20)),
    ],
)
def test_a_name_is_plain_ascii(run: str, expected: str) -> None:
    assert file_name(run, "best episode", ".mp4") == f"{expected}-best-episode.mp4"
