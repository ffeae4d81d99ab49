"""Beginning and actions bring an episode back: every observation, every reward, every pixel."""

from __future__ import annotations

import random

import numpy as np
import pytest
import simplejpeg
from support.episodes import random_recording

from rl_lab.worker.environments.repeatability import check_exactness
from rl_lab.worker.rendering.jpeg import to_jpeg
from rl_lab.worker.rendering.simulation import Simulation
from rl_lab.worker.rendering.snapshots import Snapshots

EXACT = [
    "CartPole-v1",
    "LunarLander-v3",
    "BipedalWalker-v3",
    "BipedalWalkerHardcore-v3",
    "FrozenLake-v1",
    "Taxi-v4",
    "Acrobot-v1",
    "MountainCar-v0",
    "Pendulum-v1",
    "CarRacing-v3",
    "ALE/Pong-v5",
]


@pytest.mark.parametrize("env_id", EXACT)
def test_an_environment_repeats_itself_in_a_fresh_process(env_id: str) -> None:
    found = check_exactness(env_id, {})
    assert found["exact"], found["note"]
    assert found["steps"] > 0
    # Sticky actions are thrown by the emulator's own dice, which go on after a reset without a seed.
    assert found["exact_unseeded"] is (env_id != "ALE/Pong-v5")


def test_an_emulator_without_dice_begins_from_the_generators_state() -> None:
    found = check_exactness("PongNoFrameskip-v4", {})
    assert (found["exact"], found["exact_unseeded"]) == (True, True)


@pytest.mark.parametrize("env_id", ["LunarLander-v3", "BipedalWalker-v3", "CartPole-v1"])
def test_a_moment_looks_the_same_however_one_came_to_it(env_id: str) -> None:
    recording = random_recording(env_id)
    frames = _frames_one_by_one(Simulation(recording))
    snapshots = Snapshots(Simulation(recording))
    try:
        rows = snapshots.play_through()
        assert len(rows) == len(frames)
        steps = list(range(len(frames)))
        random.Random(3).shuffle(steps)
        for step in steps[:25]:
            assert snapshots.jpeg(step) == frames[step], f"step {step}"
    finally:
        snapshots.close()


def test_the_end_of_a_resimulated_episode_is_the_recorded_one() -> None:
    recording = random_recording("BipedalWalker-v3", seed=11)
    simulation = Simulation(recording, render=False)
    simulation.advance_to(10_000)
    assert simulation.returned == recording.returned
    assert (simulation.terminated, simulation.truncated) == (recording.terminated, recording.truncated)
    assert simulation.step == recording.count


def test_pictures_are_real_pictures() -> None:
    picture = simplejpeg.decode_jpeg(to_jpeg(Simulation(random_recording("CartPole-v1")).frame()))
    assert picture.shape == (400, 600, 3)
    assert np.ptp(picture) > 100


def _frames_one_by_one(simulation: Simulation) -> list[bytes]:
    frames = [to_jpeg(simulation.frame())]
    while simulation.advance():
        frames.append(to_jpeg(simulation.frame()))
    return frames
