from __future__ import annotations

from typing import Any

import gymnasium
import msgspec
import numpy as np
import pytest
from support.episodes import random_recording

from rl_lab.core.recordings import Recording
from rl_lab.worker.rendering.simulation import Simulation
from rl_lab.worker.reward_bench import simulated
from rl_lab.worker.reward_bench.kept_episodes import KeptEpisodes, size_of
from rl_lab.worker.reward_bench.simulated import SimulatedEpisode, Simulator
from rl_lab.worker.user_code.scorer import StepRows


def play(simulator: Simulator, recording: Recording, **how: Any) -> tuple[SimulatedEpisode, list[StepRows]]:
    episode, pieces = SimulatedEpisode(), []
    for known, rows in simulator.simulate(recording, with_info=False, **how):
        episode = known
        pieces.append(rows)
    return episode, pieces


def test_episodes_in_one_environment_are_those_of_a_new_one() -> None:
    simulator = Simulator()
    for env_id in ("CartPole-v1", "LunarLander-v3", "BipedalWalker-v3", "FrozenLake-v1"):
        for seed in (1, 2, 3):
            recording = random_recording(env_id, seed=seed, most=60)
            episode, (rows,) = play(simulator, recording)
            alone = Simulation(recording, render=False)
            np.testing.assert_array_equal(rows.obs[0], alone.observation)
            for number in range(recording.count):
                alone.advance()
                np.testing.assert_array_equal(rows.next_obs[number], alone.observation)
                assert rows.reward[number] == alone.reward
            assert (rows.terminated[-1], rows.truncated[-1]) == (alone.terminated, alone.truncated)
            assert not rows.terminated[:-1].any()
            assert rows.begins.tolist() == [True, *[False] * (recording.count - 1)]
            assert episode.returned == alone.returned
            assert episode.is_exact(recording)
            assert not simulator.should_repeat(episode, recording)
    simulator.close()


def test_long_episodes_come_in_pieces_that_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = random_recording("LunarLander-v3", most=60)
    _, (whole,) = play(Simulator(), recording)
    monkeypatch.setattr(simulated, "MOST_ROWS", 25)
    episode, pieces = play(Simulator(), recording)
    assert [len(rows) for rows in pieces] == [25, 25, 10]
    assert episode.length == 60
    for name in ("obs", "next_obs", "action", "reward", "begins"):
        joined = np.concatenate([getattr(rows, name) for rows in pieces])
        np.testing.assert_array_equal(joined, getattr(whole, name))


def test_a_recording_of_something_else_is_marked() -> None:
    recording = random_recording("CartPole-v1")
    for changed in (
        {"returned": recording.count + 1.0},
        {"rewards": np.full(recording.count, 2.0, "<f4").tobytes()},
        {"actions": recording.actions + recording.actions, "count": 2 * recording.count},
    ):
        other = msgspec.structs.replace(recording, **changed)
        episode, _ = play(Simulator(), other)
        assert not episode.is_exact(other)


def test_checksums_show_another_state() -> None:
    recording = random_recording("LunarLander-v3", most=60)
    same = msgspec.structs.replace(recording, checksums=_checksum(recording))
    assert play(Simulator(), same)[0].is_exact(same)
    other = msgspec.structs.replace(recording, checksums=b"\x00\x01")
    assert not play(Simulator(), other)[0].is_exact(other)


def _checksum(recording: Recording) -> bytes:
    from rl_lab.portable.state_checksums import state_checksum

    alone = Simulation(recording, render=False)
    alone.advance_to(50)
    return state_checksum(alone.observation, alone.reward)


class Grows(gymnasium.Env[np.ndarray, int]):
    """Pays more in each episode, so only the first one of an environment is the recorded one."""

    observation_space = gymnasium.spaces.Box(-1, 1, (1,))
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode
        self.episodes = 0

    def reset(self, **how: Any) -> Any:
        super().reset(**how)
        self.episodes += 1
        return np.zeros(1, np.float32), {}

    def step(self, _: Any) -> Any:
        return np.zeros(1, np.float32), float(self.episodes), False, False, {}


class IntegersFirst(gymnasium.Env[Any, Any]):
    """Its first observation consists of integers, the others do not."""

    observation_space = gymnasium.spaces.Box(-10, 10, (2,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode

    def reset(self, **how: Any) -> Any:
        super().reset(**how)
        return np.array([1, 2]), {}

    def step(self, _: Any) -> Any:
        return np.array([0.5, 1.5]), 1.0, False, False, {"itself": self.info()}

    def info(self) -> dict[str, Any]:
        endless: dict[str, Any] = {}
        endless["again"] = endless
        return endless


def two_steps(env_id: str, returned: float) -> Recording:
    packing = {"kind": "discrete", "dtype": "u1", "start": 0, "n": 2}
    return Recording(
        run_id="r",
        episode=0,
        env_id=env_id,
        action=packing,
        seed=1,
        count=2,
        actions=b"\0\1",
        returned=returned,
    )


def test_observations_are_not_rounded_to_the_type_of_the_first_one() -> None:
    gymnasium.register("IntegersFirst-v0", IntegersFirst)
    _, (rows,) = play(Simulator(), two_steps("IntegersFirst-v0", 2.0))
    assert rows.obs.tolist() == [[1.0, 2.0], [0.5, 1.5]]
    assert rows.next_obs.tolist() == [[0.5, 1.5], [0.5, 1.5]]


def test_infos_that_contain_themselves_do_not_end_the_bench() -> None:
    gymnasium.register("IntegersFirst-v1", IntegersFirst)
    simulator = Simulator()
    pieces = [rows for _, rows in simulator.simulate(two_steps("IntegersFirst-v1", 2.0), with_info=True)]
    assert pieces[0].info == [{}, {}]


def test_an_environment_that_remembers_is_made_anew_for_each_episode() -> None:
    gymnasium.register("Grows-v0", Grows)
    recording = two_steps("Grows-v0", 2.0)
    simulator = Simulator()
    assert not simulator.should_repeat(play(simulator, recording)[0], recording)
    second, _ = play(simulator, recording)
    assert second.returned == 4.0
    assert simulator.should_repeat(second, recording)
    for _ in range(3):
        episode, _ = play(simulator, recording)
        assert episode.is_exact(recording)
        assert not simulator.should_repeat(episode, recording)


def test_a_recording_that_no_environment_repeats_is_not_tried_for_ever() -> None:
    recording = msgspec.structs.replace(random_recording("CartPole-v1"), returned=-1.0)
    simulator, repeats = Simulator(), 0
    for _ in range(10):
        episode, _ = play(simulator, recording)
        while simulator.should_repeat(episode, recording):
            episode, _ = play(simulator, recording)
            repeats += 1
    assert repeats <= simulated.MOST_TRIES


def test_episodes_are_kept_up_to_a_number_of_bytes() -> None:
    episode, pieces = play(Simulator(), random_recording("LunarLander-v3", most=60))
    episode.pieces, episode.size = pieces, size_of(pieces[0])
    assert episode.size > 60 * (8 * 4 + 8 + 8)
    kept = KeptEpisodes(max_bytes=2 * episode.size)
    assert kept.keep("a", episode) == kept.keep("b", episode) == []
    assert kept.find("a", with_info=False) is episode
    assert kept.keep("c", episode) == ["b"], "the one that was not used for the longest time"
    assert kept.find("b", with_info=False) is None
    assert kept.find("a", with_info=True) is None, "its infos were not kept"
