"""The episodes of a play are measured as they were played, or not at all."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from support.episodes import random_recording

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.recordings import Recording
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.jobs.duel_sides import Side
from rl_lab.worker.jobs.episodes import play_episode
from rl_lab.worker.jobs.played_again import PlayedAgain


def play_again(recording: Recording, **changes: Any) -> None:
    """As one side of a duel."""
    changed = msgspec.structs.replace(recording, **changes)
    side = Side(
        "r1",
        "mine",
        TrainConfig(runner="none", algorithm="play", env_id=recording.env_id),
        PlayedAgain({7: changed}),
    )
    side.begin(7)
    env = make_environment(recording.env_id)
    side.end(play_episode(env, side.policy, recording.seed or 0).returned)


def test_an_episode_that_comes_out_as_recorded_counts() -> None:
    recording = random_recording("CartPole-v1", seed=7)
    play_again(recording, returned=float(recording.count))
    play_again(recording, returned=None)


def test_another_end_or_another_return_is_refused() -> None:
    recording = random_recording("CartPole-v1", seed=7)
    later = {"actions": recording.actions + recording.actions[:1], "count": recording.count + 1}
    earlier = {"actions": recording.actions[:-1], "count": recording.count - 1}
    for changes in (later, earlier, {"returned": recording.count + 0.5}):
        with pytest.raises(InvalidInput, match="did not come out as it was recorded"):
            play_again(recording, **changes)
