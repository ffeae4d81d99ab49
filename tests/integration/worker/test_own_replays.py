"""A replay under the reward of its run: steps are scored while they are simulated, and only there."""

from __future__ import annotations

from contextlib import closing

import msgspec
import pytest
from support.episodes import random_recording
from support.own_rewards import STATEFUL, reward_input

from rl_lab.portable.frame_protocol import split_frame_message
from rl_lab.worker.rendering.replay_player import ReplayPlayer
from rl_lab.worker.rendering.whole_episode import tabulate
from rl_lab.worker.user_code import noted_steps


def test_a_long_replay_is_scored_in_parts_and_can_be_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = random_recording("CartPole-v1", seed=3, most=40)
    message = {"recording": msgspec.to_builtins(recording), "reward": reward_input(STATEFUL)}
    expected = [row["own_reward"] for row in tabulate(message)["steps"][1:]]
    assert len(expected) == recording.count > 10
    monkeypatch.setattr(noted_steps, "MAX_ROWS", 4)
    assert [row["own_reward"] for row in tabulate(message)["steps"][1:]] == expected
    with closing(ReplayPlayer(message)) as player:
        header, _ = split_frame_message(player.opening())
        assert header["own_rewards"] == expected
        for step in (recording.count, 1, 6):
            assert player._snapshots.jpeg(step)
